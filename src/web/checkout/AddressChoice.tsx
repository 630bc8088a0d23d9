import { Suspense, useState } from 'react';
import { accountSays } from '../../shared/account';
import type { NewAddress } from '../../shared/checkoutForms';
import type { Schema } from '../../shared/contract';
import { findDraft, useDraft } from '../account/drafts';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import styles from './AddressChoice.module.css';
import { RadioCard, RadioCards, RadioSkeletons } from './RadioCard';
import { lazyPart } from '../ui/lazyPart';

const NewAddressDialog = lazyPart(() => import('./NewAddressDialog'), 'NewAddressDialog');

/** Who gets the order, and where. */
export type ChosenAddress = NewAddress;

interface Props {
  userId: string;
  account: Schema<'User'> | undefined;
  chosen: ChosenAddress | undefined;
  /** The order is being placed with this address, so the choice is fixed. */
  isFixed: boolean;
  onChoose: (address: ChosenAddress) => void;
}

/**
 * The saved addresses, one of them chosen, or a new one from the dialog.
 * @param props.chosen to begin with, the new address of before a login in between
 */
export function AddressChoice({ userId, account, chosen, isFixed, onChoose }: Props) {
  const [mode, setMode] = useState(chosen ? 'new' : undefined); // a saved address's id, or 'new'
  const [isAsking, setAsking] = useState(() => findDraft(userId, 'newAddress') !== undefined);
  useDraft(userId, 'delivery', () => (mode === 'new' ? chosen : undefined));
  if (!account) return <RadioSkeletons what="your addresses" />;

  const choose = (id: string, address: ChosenAddress) => {
    if (isFixed) return;
    setMode(id);
    onChoose(address);
  };
  const ask = () => setAsking(!isFixed);
  const accept = (address: ChosenAddress) => {
    setAsking(false);
    choose('new', address);
  };
  return (
    <>
      {account.addresses.length > 0 ? (
        <Radios account={account} mode={mode} isFixed={isFixed} onChoose={choose} onAsk={ask} />
      ) : (
        <div className={styles['none']}>
          <p>{accountSays.noAddresses}</p>
          <ActionButton variant="outline" isOff={isFixed} onClick={ask}>
            Add New Address
          </ActionButton>
        </div>
      )}
      {mode === 'new' && chosen && (
        <div className={`panel ${styles['new']}`}>
          <Heading as="h3" textStyle="h3">
            Selected New Address:
          </Heading>
          <AddressLines address={chosen} />
        </div>
      )}
      {isAsking && (
        <Suspense>
          <NewAddressDialog
            userId={userId}
            fullName={account.fullName}
            onUse={accept}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

interface RadiosProps extends Pick<Props, 'isFixed'> {
  account: Schema<'User'>;
  mode: string | undefined;
  onChoose: (id: string, address: ChosenAddress) => void;
  /** For a new one. */
  onAsk: () => void;
}

function Radios({ account: { fullName, addresses }, mode, isFixed, onChoose, onAsk }: RadiosProps) {
  const isOnline = useIsOnline();
  return (
    <RadioCards legend="Shipping Address" isFixed={isFixed}>
      {addresses.map(({ id, street, city, state, postalCode }) => {
        const address = { fullName, street, city, state, postalCode };
        return (
          <RadioCard name="address" key={id} isChosen={mode === id} onChoose={() => onChoose(id, address)}>
            <AddressLines address={address} />
          </RadioCard>
        );
      })}
      {isOnline && (
        <RadioCard name="address" isChosen={mode === 'new'} onChoose={onAsk}>
          <b className={styles['add']}>
            <Icon name="plus" />
            Add a new address
          </b>
        </RadioCard>
      )}
    </RadioCards>
  );
}

export function AddressLines({ address: { fullName, street, city, state, postalCode } }: { address: ChosenAddress }) {
  return (
    <address className={styles['lines']}>
      <b>{fullName}</b>
      <br />
      {street}
      <br />
      {city}, {state} {postalCode}
    </address>
  );
}
