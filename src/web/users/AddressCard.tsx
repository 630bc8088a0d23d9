import { Suspense, useRef, useState } from 'react';
import { accountMessages } from '../../shared/usersAccount';
import type { Schema } from '../../shared/contract';
import { focusBeside } from '../ui/focusBeside';
import { ActionButton } from '../ui/ActionButton';
import { AddressLines } from '../ui/AddressLines';
import { LaterIcon } from '../ui/LaterIcon';
import styles from './AddressCard.module.css';
import { useRemoveAddress } from './addressQueries';
import { lazyPart } from '../ui/lazyPart';

const ConfirmDialog = lazyPart(() => import('../ui/ConfirmDialog'), 'ConfirmDialog');

interface Props {
  userId: string;
  address: Schema<'Address'>;
  /** ID of the offline notice, if shown. */
  offlineId: string | undefined;
  onEdit: () => void;
}

export function AddressCard({ userId, address, offlineId, onEdit }: Props) {
  const card = useRef<HTMLLIElement>(null);
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoveAddress(userId, () => focusBeside(card.current));
  const { id, street } = address;
  const button = {
    variant: 'ghost',
    px: '3',
    gap: '2.5',
    isOff: offlineId !== undefined,
    'aria-describedby': offlineId,
  } as const;
  return (
    <li ref={card} className={styles['card']}>
      <address className={styles['lines']}>
        <AddressLines address={address} />
      </address>
      <div className={styles['actions']}>
        <ActionButton {...button} aria-label={`Edit ${street}`} onClick={onEdit}>
          <LaterIcon name="edit" />
          Edit
        </ActionButton>
        <ActionButton
          {...button}
          {...(offlineId === undefined && { color: 'fg.error' })}
          aria-label={`Remove ${street}`}
          data-removes=""
          isBusy={remove.isPending}
          onClick={() => setAsking(true)}
        >
          <LaterIcon name="trash" />
          Remove
        </ActionButton>
      </div>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title="Remove this address?"
            text={accountMessages.removeAddress(street)}
            action="Remove"
            onConfirm={() => remove.mutate(id)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </li>
  );
}
