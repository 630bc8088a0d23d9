import { change, makeProduct } from '../calls';
import { expect, openEmptyPage, payWith, signIn, test } from '../shop';

test('delivery, tax and a code are in the charged total, and a unit of a line is refunded with its share', async ({
  page,
  browser,
  owner,
  baseURL,
}) => {
  const office = await browser.newContext({
    baseURL: baseURL ?? '',
    storageState: owner,
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
  });
  const staff = await office.newPage();
  await openEmptyPage(staff);
  const name = 'Charged in full';
  const id = await makeProduct(staff, { name, price: '12.30' });
  await change<'createDiscount'>(staff, 'POST', '/admin/discounts', {
    data: { code: 'TENTH', kind: 'percent', percent: 10 },
  });
  const { deliveryMethod } = await change<'createDeliveryMethod'>(staff, 'POST', '/admin/delivery-methods', {
    data: { name: 'By van', price: 5.95 },
  });
  await change<'setTaxRate'>(staff, 'PUT', '/admin/tax-rates/GA', { data: { rate: 8.25 } });
  try {
    await signIn(page);
    await page.goto(`/customer/view/product/${id}`);
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await expect(page.getByText('Item added to cart successfully')).toBeVisible();
    await page.goto('/cart');
    await page.getByRole('button', { name: 'Increase' }).click();
    await page.getByRole('button', { name: 'Increase' }).click();
    await expect(page.getByRole('link', { name: 'Cart, 3 items' })).toBeVisible();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
    await page.getByText('12 Market Street').click();
    await page.getByRole('button', { name: 'Add a discount code' }).click();
    await page.getByLabel('Discount code').fill('tenth');
    await page.getByRole('button', { name: 'Apply' }).click();
    // 3 × 12.30 = 36.90; a tenth of it 3.69; 8.25 % of the 33.21 that are left 2.74; with 5.95 for the van 41.90
    for (const amount of ['$36.90', '−$3.69', '$5.95', '$2.74', '$41.90']) {
      await expect(page.getByRole('main').getByText(amount).filter({ visible: true }).first()).toBeVisible();
    }
    await page.getByRole('button', { name: 'Place Order' }).click();
    await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
    await expect(page.getByRole('button', { name: 'Pay $41.90' })).toBeVisible();
    await payWith(page, '4242 4242 4242 4242');
    await expect(page).toHaveURL(/\/customer\/order\/success/);
    await expect(page.getByText('$41.90')).toBeVisible();
  } finally {
    await change(staff, 'DELETE', `/admin/delivery-methods/${deliveryMethod.id}`); // other tests sell without any
    await change(staff, 'DELETE', '/admin/tax-rates/GA');
  }

  await staff.goto('/ordered/products');
  const row = staff.getByRole('row').filter({ hasText: '$41.90' });
  await row.getByRole('link', { name: /^#\d/ }).click();
  await staff.getByRole('button', { name: 'Refund' }).click();
  const dialog = staff.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Increase' }).click();
  await dialog.getByLabel('Reason').fill('A jar was broken');
  await dialog.getByRole('button', { name: 'Refund $11.98' }).click(); // 11.07 and its share of the tax, 0.91
  await expect(staff.getByText('Refund issued')).toBeVisible();
  await page.getByRole('link', { name: 'View order' }).click();
  await page.getByRole('article').getByRole('link', { name: 'Receipt' }).click();
  await expect(page.getByRole('main').getByText('−$11.98').first()).toBeVisible();
  await office.close();
});
