import {
  all,
  answer,
  cells,
  listOf,
  madeStaff,
  oneUser,
  orderId,
  person,
  promotions,
  someMessages,
  someOrders,
  someSummary,
  userId,
} from './adminAnswers';
import { button, columns, field, heading, link, press, type Screen } from './screen';

const home = { country: 'United States', state: 'GA', city: 'Atlanta' };
const someAddresses = [
  { ...home, id: userId, street: '61 Cascade Avenue', postalCode: '30311', isLastUsed: true },
  { ...home, id: orderId, street: '12 Market Street', postalCode: '30303', company: 'Sanneh Catering' },
];

/** What the shop knows about a customer. */
export const customerScreen: Screen = {
  name: 'a customer',
  as: 'owner',
  path: `/admin/view/user/${userId}`,
  provoke: all(
    answer(oneUser, { user: { ...person('Fatou Sanneh', 'ROLE_CUSTOMER'), addresses: someAddresses } }),
    answer(promotions, { ...madeStaff, promotions: listOf() }),
    someSummary,
    someOrders,
    someMessages,
    answer(/\/api\/admin\/users\/tags$/, { tags: [{ value: 'wholesale', customers: 12 }] }),
  ),
  act: press('Add tag'),
  isOpenedPerSize: true,
  labels: [
    heading('Fatou Sanneh'),
    ...['Orders', 'Messages', 'Notes', 'Tags', 'Personal Information', 'Address', 'All addresses'].map(heading),
    ...cells('$412.30', 'After refunds', '1 to ship', '$58.90', 'Nov 28, 2026', 'First: Nov 14, 2026'),
    ...columns('Order', 'Date', 'Status', 'Items', 'Total'),
    link('#100482'),
    link('View all orders'),
    ...cells('1–3 of 3', 'Partially refunded', 'Only staff can see notes.', 'Runs a supper club', /^Musa Camara, /),
    field('New note'),
    button('Add note'),
    link('supper club'),
    button('Remove supper club'),
    field('New tag'),
    button('Add'),
    button('Done'),
    ...cells('Sanneh Catering', 'Last used', 'Joined'),
    link('Email'),
  ],
};
