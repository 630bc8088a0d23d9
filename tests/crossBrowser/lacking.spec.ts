import { newAccount } from '../e2e/shop';
import { signUp } from './people';
import { phone } from './tab';
import { test } from './harness';

test('a browser without Web Locks and storage estimates has the whole shop all the same', async ({ openBrowser }) => {
  const { tab } = await openBrowser(phone, { lacking: ['locks', 'storage', 'connection'] });
  await signUp(tab, newAccount());
  await tab.open('/products/savory');
  await tab.press({ role: 'button', name: 'Add Afra Grill Rub to cart' });
  await tab.sees({ text: 'Item added to cart successfully' });
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  await tab.open('/cart');
  await tab.sees({ text: 'Afra Grill Rub' });
});
