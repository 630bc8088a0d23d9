import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { deliveryNoteLength, messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { formatMoney, roundMoney, toCents } from '../../shared/money';
import { stateName } from '../../shared/usStates';
import { Button } from '../ui/Button';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import { LaterIcon } from '../ui/LaterIcon';
import styles from './DeliveryChoice.module.css';
import { takeFocus } from '../ui/takeFocus';
import { RadioCard, RadioCards, RadioSkeletons } from './RadioCard';
import type { Total } from './useTotal';

interface Props {
  total: Total;
  /** An address is chosen: reserves the methods' place while they load. */
  hasAddress: boolean;
  isFixed: boolean;
}

/** The delivery methods that serve the address; the cheapest is preselected. */
export function DeliveryChoice({ total, hasAddress, isFixed }: Props) {
  const { quote, state, terms, isLoading, methodId, chooseMethod } = total;
  const methods = quote?.deliveryMethods;
  if (!methods && !(isLoading && hasAddress && terms.deliveryMethods.length > 0)) return null;
  return (
    <>
      <Heading as="h2" textStyle="h3" className={styles['title']}>
        Delivery
      </Heading>
      {!methods && <RadioSkeletons what="delivery options" isLow />}
      {methods?.length === 0 && state !== undefined && <NotServed state={state} />}
      {methods && methods.length > 0 && (
        <RadioCards legend="Delivery" isFixed={isFixed}>
          {methods.map((method) => (
            <RadioCard
              key={method.id}
              name="delivery"
              isChosen={method.id === methodId}
              onChoose={() => chooseMethod(method.id)}
            >
              <Method method={method} />
            </RadioCard>
          ))}
        </RadioCards>
      )}
      {methods && methods.length > 0 && <Note total={total} isFixed={isFixed} />}
    </>
  );
}

function Method({ method: { name, description, price, freeFrom } }: { method: Schema<'QuotedMethod'> }) {
  return (
    <span className={styles['method']}>
      <span>
        <b>{name}</b>
        {description && <small>{description}</small>}
        {freeFrom !== null && <small className={styles['free']}>Free over {roundMoney(toCents(freeFrom))}</small>}
      </span>
      <span className={`tabular ${styles['price']}`}>{price === 0 ? 'Free' : formatMoney(toCents(price))}</span>
    </span>
  );
}

function NotServed({ state }: { state: string }) {
  return (
    <output className={styles['notServed']}>
      <LaterIcon name="truck" />
      <span>
        <b>{messages.noDelivery(stateName(state))}</b>
        Choose another address, or <Link to="/contact">write to us</Link>. Your cart stays as it is.
      </span>
    </output>
  );
}

function Note({ total: { note, setNote }, isFixed }: { total: Total; isFixed: boolean }) {
  const [isOpened, setOpened] = useState(false);
  if (!isOpened && note === '')
    return (
      <Button variant="ghost" className={styles['addNote']} onClick={() => setOpened(true)}>
        <Icon name="plus" />
        {messages.addNote}
      </Button>
    );
  return (
    <label className={styles['note']}>
      <span>Delivery instructions</span>
      <textarea
        ref={isOpened && note === '' ? takeFocus : undefined}
        rows={2}
        maxLength={deliveryNoteLength}
        value={note}
        readOnly={isFixed}
        onChange={(event) => {
          setOpened(true); // an emptied field stays open
          setNote(event.target.value);
        }}
      />
    </label>
  );
}
