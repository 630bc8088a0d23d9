import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { addressesPerPage } from '../../shared/usersAccount';
import type { Schema } from '../../shared/contract';
import { userMessages } from '../../shared/users';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { ReadFailure } from '../connection/ReadFailure';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { Icon } from '../ui/Icon';
import { Pagination } from '../ui/Pagination';
import { Waiting } from '../ui/Waiting';
import { AccountFrame } from './AccountFrame';
import { AddressCard } from './AddressCard';
import styles from './AddressesPage.module.css';
import { findDraft } from './drafts';
import { userQuery } from './queries';
import { lazyPart } from '../ui/lazyPart';

const AddressDialog = lazyPart(() => import('./AddressDialog'), 'AddressDialog');

const route = getRouteApi('/shop/signed-in/customer/view/addresses');
const offlineId = 'addresses-wait';

export function AddressesPage() {
  const { user } = route.useRouteContext();
  const { page = 1 } = route.useSearch();
  const read = useQuery(userQuery(user.id));
  const { data: account, error } = read;
  const isOnline = useIsOnline();
  const disabledBy = isOnline ? undefined : offlineId;
  const [dialog, setDialog] = useState(() => findOpenDialog(user.id));
  const add = (
    <ActionButton isOff={!isOnline} aria-describedby={disabledBy} onClick={() => setDialog({ addressId: undefined })}>
      <Icon name="plus" />
      Add Address
    </ActionButton>
  );
  return (
    <AccountFrame title="View User Addresses" action={add}>
      {!isOnline && <ConnectionNotice what="change your addresses" id={offlineId} />}
      {account && (
        <AddressList
          account={account}
          page={page}
          offlineId={disabledBy}
          onEdit={({ id }: Schema<'Address'>) => setDialog({ addressId: id })}
        />
      )}
      {!account && error && <ReadFailure read={read} failure={userMessages.getUser.failure} />}
      {!account && !error && <AddressSkeletons />}
      {account && dialog && (
        <Suspense>
          <AddressDialog
            userId={user.id}
            address={account.addresses.find(({ id }) => id === dialog.addressId)}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </AccountFrame>
  );
}

/** Reopens the dialog after the login if it was open when the session ended. */
function findOpenDialog(userId: string): { addressId: string | undefined } | undefined {
  return findDraft(userId, 'address');
}

interface ListProps {
  account: Schema<'User'>;
  page: number;
  offlineId: string | undefined;
  onEdit: (address: Schema<'Address'>) => void;
}

function AddressList({ account: { id: userId, addresses }, page, offlineId: disabledBy, onEdit }: ListProps) {
  if (addresses.length === 0) return <p>{userMessages.noAddresses}</p>;
  const totalPages = Math.ceil(addresses.length / addressesPerPage);
  const shown = Math.min(page, totalPages); // the only address on the last page may just have been removed
  const from = (shown - 1) * addressesPerPage;
  return (
    <>
      <ul className={styles['cards']}>
        {addresses.slice(from, from + addressesPerPage).map((address) => (
          <AddressCard
            key={address.id}
            userId={userId}
            address={address}
            offlineId={disabledBy}
            onEdit={() => onEdit(address)}
          />
        ))}
      </ul>
      <Pagination page={shown} totalPages={totalPages} />
    </>
  );
}

function AddressSkeletons() {
  return (
    <Waiting what="your addresses" className={styles['cards']}>
      {[1, 2].map((card) => (
        <span key={card} className={`skeleton ${styles['waiting']}`} />
      ))}
    </Waiting>
  );
}
