import { Button } from '@chakra-ui/react/button';
import { Heading } from '@chakra-ui/react/heading';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { NewAddress } from '../../shared/checkoutForms';
import type { Schema } from '../../shared/contract';
import { Icon } from '../ui/Icon';
import styles from './AddressChoice.module.css';

const NewAddressDialog = lazy(async () => ({ default: (await import('./NewAddressDialog')).NewAddressDialog }));

/** Who gets the order, and where. */
export type ChosenAddress = NewAddress;

interface Props {
  account: Schema<'User'> | undefined;
  chosen: ChosenAddress | undefined;
  onChoose: (address: ChosenAddress) => void;
}

/** The saved addresses, one of them chosen, or a new one from the dialog. */
export function AddressChoice({ account, chosen, onChoose }: Props) {
  const [mode, setMode] = useState<string>(); // a saved address's id, or 'new'
  const [isAsking, setAsking] = useState(false);
  if (!account) return <AddressSkeleton />;

  const choose = (id: string, address: ChosenAddress) => {
    setMode(id);
    onChoose(address);
  };
  const accept = (address: ChosenAddress) => {
    setAsking(false);
    choose('new', address);
  };
  return (
    <>
      {account.addresses.length > 0 ? (
        <fieldset className={styles['radios']}>
          <legend className="sr-only">Shipping Address</legend>
          {account.addresses.map(({ id, street, city, state, postalCode }) => {
            const address = { fullName: account.fullName, street, city, state, postalCode };
            return (
              <Radio key={id} isChosen={mode === id} onChoose={() => choose(id, address)}>
                <AddressLines address={address} />
              </Radio>
            );
          })}
          <Radio isChosen={mode === 'new'} onChoose={() => setAsking(true)}>
            <b className={styles['add']}>
              <Icon name="plus" />
              Add a new address
            </b>
          </Radio>
        </fieldset>
      ) : (
        <div className={styles['none']}>
          <p>No saved addresses found.</p>
          <Button variant="outline" onClick={() => setAsking(true)}>
            Add New Address
          </Button>
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
          <NewAddressDialog fullName={account.fullName} onUse={accept} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

function Radio(props: { isChosen: boolean; onChoose: () => void; children: ReactNode }) {
  const { isChosen, onChoose, children } = props;
  return (
    <label className={styles['radio']}>
      {/* a click on the chosen one opens the dialog again, which `change` would not tell */}
      <input
        type="radio"
        name="address"
        checked={isChosen}
        onChange={onChoose}
        onClick={isChosen ? onChoose : undefined}
      />
      <span>{children}</span>
    </label>
  );
}

function AddressLines({ address: { fullName, street, city, state, postalCode } }: { address: ChosenAddress }) {
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

function AddressSkeleton() {
  return (
    <div className={styles['radios']} aria-busy="true">
      <output className="sr-only">Loading your addresses</output>
      <span className={`skeleton ${styles['waiting']}`} />
      <span className={`skeleton ${styles['waiting']}`} />
    </div>
  );
}
