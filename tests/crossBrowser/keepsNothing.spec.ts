import { isTakenOver } from './people';
import { phone } from './tab';
import { test } from './harness';

/** Firefox has a setting for it, WebKit only for cookies; for Chromium a test in tests/e2e removes it all by script. */
test('the shop also hydrates where the browser stores no site data', async ({ openBrowser }) => {
  const { tab, forgive } = await openBrowser(phone, { keepsNothing: true });
  await tab.open('/');
  await tab.press({ role: 'link', name: 'Contact' });
  await tab.sees({ role: 'button', name: 'Send' }); // the footer of each page has the heading too
  await isTakenOver(tab);
  await tab.open('/products/savory');
  await isTakenOver(tab);
  await tab.press({ role: 'link', name: /Afra Grill Rub/ });
  await tab.sees({ role: 'heading', name: 'Afra Grill Rub' });
  await tab.press({ role: 'button', name: 'Add to cart' });
  await tab.sees({ text: 'You need to be logged in to add items to your cart' });
  await tab.write('Email', 'cook@example.com');
  await tab.write('Password', 'cinnamon bark');
  await tab.press({ role: 'button', name: 'Log in' });
  await tab.sees({ text: 'Your browser is blocking cookies. Allow them for this site to log in.' });
  await forgive(/insecure|SecurityError/); // caused by storing the shop on the device
});
