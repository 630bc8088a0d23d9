import type { Locator, Page } from 'playwright/test';
import { expect, newAccount, test } from '../shop';

/** How many times a person presses, and how many fields they fill in, from an added product to the paid order. */
const mostTaps = 7;
const mostFields = 13;

function countingHand(page: Page) {
  const used = { taps: 0, fields: 0 };
  return {
    used,
    tap: async (target: Locator) => {
      await target.click();
      used.taps += 1;
    },
    fill: async (fields: Record<string, string>) => {
      for (const [label, value] of Object.entries(fields)) {
        const field = page.getByLabel(label, { exact: true });
        const isChoice = (await field.evaluate((element) => element.tagName)) === 'SELECT';
        await (isChoice ? field.selectOption(value) : field.fill(value));
        used.fields += 1;
      }
    },
  };
}

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
]) {
  test.describe(`at ${viewport.width} pixels`, () => {
    test.use({ viewport });

    test('a visitor has a paid order in at most 7 taps and 13 fields after the product is added', async ({ page }) => {
      const { fullName, email, password } = newAccount();
      const { used, tap, fill } = countingHand(page);
      const main = page.getByRole('main');
      await page.goto('/products/savory');
      await main.getByRole('link', { name: 'Domoda Peanut Base' }).first().click();
      await main.getByRole('button', { name: 'Add to cart' }).first().click();
      await expect(page).toHaveURL(/\/login/);

      await tap(main.getByRole('link', { name: 'Register' }));
      await expect(page.getByLabel('Confirm password')).toBeVisible();
      await fill({ 'Full Name': fullName, Email: email, Password: password, 'Confirm password': password });
      await fill({ 'Street address': '12 Market Street', City: 'Atlanta', State: 'GA', 'ZIP code': '30303' });
      await tap(main.getByRole('button', { name: 'Register' }));
      await expect(page.getByRole('heading', { level: 1, name: 'Domoda Peanut Base' })).toBeVisible();
      await tap(page.getByRole('link', { name: 'Cart, 1 item' }).filter({ visible: true }).first());
      await tap(page.getByRole('button', { name: 'Proceed to Checkout' }));
      const order = page.getByRole('button', { name: 'Place Order' });
      await expect(order).toBeInViewport({ ratio: 1 });
      await tap(order);
      await fill({ 'Card number': '4242 4242 4242 4242', 'Expiration date': '12 / 34', 'Security code': '123' });
      await fill({ 'Name on card': fullName, 'ZIP code': '30303' });
      await tap(page.getByRole('button', { name: /^Pay \$/ }));
      await expect(page.getByRole('heading', { level: 1, name: /^Thank you, / })).toBeFocused();

      expect(used.taps).toBeLessThanOrEqual(mostTaps);
      expect(used.fields).toBeLessThanOrEqual(mostFields);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: /^Thank you, / })).toBeVisible();
    });
  });
}
