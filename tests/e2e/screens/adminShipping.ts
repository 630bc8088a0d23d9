import { cells, orderId, someToShip } from './adminAnswers';
import { button, field, heading, link, text, type Screen } from './screen';

/** Shipping several orders at once. */
export const adminShipping: Screen[] = [
  {
    name: 'orders that are shipped together',
    as: 'owner',
    path: `/admin/orders/ship?ids=${orderId}`,
    provoke: someToShip,
    act: async (page) => {
      await page.getByLabel('Tracking number of #100482').fill('1Z 84F 29W 03 5518 2207');
      await page.getByLabel('Tracking number of #100481').fill('1Z84F29W0355182207');
    },
    labels: [
      link('Back to Orders'),
      heading('Ship orders'),
      ...['#100482', '#100481', '#100479'].map(link),
      ...['Carrier', 'Tracking number', 'Without tracking'].map((name) => field(`${name} of #100481`)),
      ...cells('Columbus, OH', '2 items', 'Also entered for #100482', 'Delivered', 'UPS 1Z 84F 29W 03 5518 2207'),
      text('2 orders ready to ship.'),
      button('Save'),
    ],
  },
];
