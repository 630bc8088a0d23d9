import { Suspense, useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { findDraft } from '../../users/drafts';
import { LaterIcon } from '../../ui/LaterIcon';
import { Button } from '../../ui/Button';
import { lazyPart } from '../../ui/lazyPart';

const AddressDialog = lazyPart(() => import('../../users/AddressDialog'), 'AddressDialog');

/**
 * The button below the address of the user's own profile: changes it or adds the first one, with the storefront's
 * dialog.
 * Rule: docs/rules/back-office.md, Own profile
 */
export function OwnAddress({ account: { id: userId, addresses } }: { account: Schema<'User'> }) {
  const [first] = addresses;
  // reopens the dialog that was open when the session ended
  const [opened, open] = useState<{ addressId: string | undefined } | undefined>(() => findDraft(userId, 'address'));
  return (
    <div>
      <Button variant="outline" onClick={() => open({ addressId: first?.id })}>
        <LaterIcon name={first ? 'edit' : 'plus'} />
        {first ? 'Edit address' : 'Add address'}
      </Button>
      {opened && (
        <Suspense>
          <AddressDialog
            userId={userId}
            address={addresses.find(({ id }) => id === opened.addressId)}
            onClose={() => open(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
