import { isTakenOver } from './people';
import { phone, until } from './tab';
import { test } from './harness';

test('Back from a product returns to the list’s position, after a reload too', async ({ openBrowser }) => {
  const { tab } = await openBrowser(phone);
  const scrolled = () => tab.run(() => Math.round(scrollY), undefined);
  await tab.open('/contact');
  await tab.open('/products/savory?page=2');
  await tab.sees({ text: '11–18 of 18 products' });
  await isTakenOver(tab); // a list left earlier is tested in tests/e2e/rendering.spec.ts
  await tab.run(async () => {
    const isTold = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    scrollTo({ top: 300, behavior: 'instant' });
    await isTold; // the page too: it listened first
  }, undefined);
  await tab.run(() => document.querySelectorAll<HTMLElement>('main li h2 a')[3]?.click(), undefined);
  await tab.sees({ role: 'button', name: 'Add to cart' });
  await tab.reload();
  await tab.sees({ role: 'button', name: 'Add to cart' });
  await tab.press({ role: 'link', name: 'Back' });
  await until('the list', async () => (await tab.address()).endsWith('/products/savory?page=2'));
  await until('its place', async () => (await scrolled()) === 300);
});
