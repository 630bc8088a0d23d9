import { Suspense, useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { findDraft } from '../../account/drafts';
import { LaterIcon } from '../../ui/LaterIcon';
import { Button } from '../../ui/Button';
import { lazyPart } from '../../ui/lazyPart';

const AddressDialog = lazyPart(() => import('../../account/AddressDialog'), 'AddressDialog');

/**
 * Below the address of one's own profile: changes it, or adds the first, by the dialog and the rules of the storefront.
 * Rule: docs/rules/back-office.md, Own profile
 */
export function OwnAddress({ account: { id: userId, addresses } }: { account: Schema<'User'> }) {
  const [first] = addresses;
  // the dialog that was open when the session ended is open again after the login
  const [asked, ask] = useState<{ addressId: string | undefined } | undefined>(() => findDraft(userId, 'address'));
  return (
    <div>
      <Button variant="outline" onClick={() => ask({ addressId: first?.id })}>
        <LaterIcon name={first ? 'edit' : 'plus'} />
        {first ? 'Edit address' : 'Add address'}
      </Button>
      {asked && (
        <Suspense>
          <AddressDialog
            userId={userId}
            address={addresses.find(({ id }) => id === asked.addressId)}
            onClose={() => ask(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
