import { Suspense, useState } from 'react';
import { userMessages } from '../../shared/users';
import type { Schema } from '../../shared/contract';
import { findDraft } from '../users/drafts';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { AddressLines } from '../ui/AddressLines';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import styles from './AddressChoice.module.css';
import { type Choice, type ChosenAddress, savedChoices } from './chosenAddress';
import { RadioCard, RadioCards, RadioSkeletons } from './RadioCard';
import { lazyPart } from '../ui/lazyPart';

const NewAddressDialog = lazyPart(() => import('./NewAddressDialog'), 'NewAddressDialog');

interface Props {
  userId: string;
  account: Schema<'User'> | undefined;
  chosen: Choice | undefined;
  /** The order is being placed with this address, so the choice is locked. */
  isFixed: boolean;
  onChoose: (choice: Choice) => void;
}

/** The saved addresses, with one chosen, or a new one from the dialog. */
export function AddressChoice({ userId, account, chosen, isFixed, onChoose }: Props) {
  const [asked, setAsking] = useState<boolean | undefined>(() => (findDraft(userId, 'newAddress') ? true : undefined));
  const isOnline = useIsOnline();
  const isAsking = asked ?? (isOnline && !chosen && account?.addresses.length === 0);

  const choose = (choice: Choice) => {
    if (!isFixed) onChoose(choice);
  };
  const ask = () => setAsking(!isFixed);
  const accept = (address: ChosenAddress) => {
    setAsking(false);
    choose({ address });
  };
  const isNew = chosen && !chosen.savedId;
  return (
    <>
      {!account && <RadioSkeletons what="your addresses" />}
      {account && account.addresses.length > 0 && (
        <Radios account={account} chosen={chosen} isFixed={isFixed} onChoose={choose} onAsk={ask} />
      )}
      {account?.addresses.length === 0 && (
        <div className={styles['none']}>
          <p>{userMessages.noAddresses}</p>
          <ActionButton variant="outline" isOff={isFixed} onClick={ask}>
            Add New Address
          </ActionButton>
        </div>
      )}
      {isNew && (
        <div className={`panel ${styles['new']}`}>
          <Heading as="h3" textStyle="h3">
            Selected New Address:
          </Heading>
          <Recipient address={chosen.address} />
        </div>
      )}
      {isAsking && account && (
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

interface RadiosProps extends Pick<Props, 'chosen' | 'isFixed' | 'onChoose'> {
  account: Schema<'User'>;
  /** Opens the dialog for a new address. */
  onAsk: () => void;
}

function Radios({ account, chosen, isFixed, onChoose, onAsk }: RadiosProps) {
  const isOnline = useIsOnline();
  return (
    <RadioCards legend="Shipping Address" isFixed={isFixed}>
      {savedChoices(account).map((choice) => (
        <RadioCard
          name="address"
          key={choice.savedId}
          isChosen={chosen?.savedId === choice.savedId}
          onChoose={() => onChoose(choice)}
        >
          <Recipient address={choice.address} />
        </RadioCard>
      ))}
      {isOnline && (
        <RadioCard name="address" isChosen={Boolean(chosen && !chosen.savedId)} onChoose={onAsk}>
          <b className={styles['add']}>
            <Icon name="plus" />
            Add a new address
          </b>
        </RadioCard>
      )}
    </RadioCards>
  );
}

export function Recipient({ address }: { address: ChosenAddress }) {
  return (
    <address className={styles['lines']}>
      <b>{address.fullName}</b>
      <br />
      <AddressLines address={address} />
    </address>
  );
}
