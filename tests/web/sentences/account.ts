import { press, fill, see } from '../openTab';
import { address, onPage, refusing, stage, type Provoke, type Table } from './stage';

/** The sentences of one's own account. */
const onAddresses = (sentence: string, act: Parameters<typeof onPage>[1]): [string, Provoke] => [
  sentence,
  onPage(
    '/',
    async (tab, as) => {
      await stage.shop.call('addAddress', { as, path: { userId: as.userId }, body: address });
      await tab.go('/customer/view/addresses');
      await act(tab, as);
    },
    sentence,
  ),
];

async function add() {
  await press('Add Address');
  await fill('Street', '7 Juniper Square');
  await fill('City', 'Richmond');
  await fill('State', 'VA');
  await fill('Postal Code', '23220');
  await press('Save Address');
}

async function remove() {
  await press(`Remove ${address.street}`);
  await see('will be removed from your addresses.');
  await press('Remove', document.querySelector('[role=alertdialog]') ?? document);
}

const writing = (act: () => Promise<void>) => refusing(/\/address/, act);
const saveProfile = () => press('Save Profile');

export const account: Table = {
  ...Object.fromEntries([
    onAddresses('Address added successfully', add),
    onAddresses('Failed to add address', writing(add)),
    onAddresses('Address removed successfully', remove),
    onAddresses('Failed to remove address', writing(remove)),
  ]),
  'Profile updated successfully': onPage('/customer/edit/profile', saveProfile, 'Profile updated successfully'),
  'Failed to update profile': onPage(
    '/customer/edit/profile',
    refusing(/\/profile$/, saveProfile),
    'Failed to update profile',
  ),
  'Error loading user profile': onPage(
    '/',
    async (tab) => {
      await refusing(/\/public\/users\//, () => tab.go('/customer/view/profile'))(tab);
    },
    'Error loading user profile',
  ),
};
