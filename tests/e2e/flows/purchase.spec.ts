import { expect, keepToast, newAccount, payWith, register, signIn, test } from '../shop';

test('a new customer browses, registers, fills the cart, is declined once, pays, and finds the order', async ({
  page,
  watch,
}) => {
  const account = newAccount();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('Savory, Seasoning & Spices');
  await expect(page.getByText('Flavor your world with our savory sensations!')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Spices' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spices');
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: '$' })).toHaveCount(10);

  await page.getByRole('link', { name: 'Grains of Selim' }).click();
  await expect(page.getByText('Available', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  const toast = page.getByRole('status').filter({ hasText: 'You need to be logged in to add items to your cart' });
  await keepToast(toast);
  await expect(toast).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  const gap = async () => {
    const place = await toast.boundingBox();
    const tabs = await page.getByRole('navigation', { name: 'Shop' }).filter({ visible: true }).boundingBox();
    return (tabs?.y ?? 0) - (place?.y ?? 0) - (place?.height ?? 0);
  };
  await expect.poll(gap).toBeLessThan(20); // near the tab bar, once the product's own bar is gone
  expect(await gap()).toBeGreaterThan(0);
  await toast.click(); // anywhere on it
  await expect(toast).toBeHidden();

  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await register(page, account);
  await expect(page.getByRole('heading', { name: 'Grains of Selim' })).toBeVisible(); // where the visitor was
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();

  await page.goto('/cart');
  await expect(page.getByRole('row', { name: /Grains of Selim/ })).toHaveCount(1);
  const thumbnail = page.getByRole('row', { name: /Grains of Selim/ }).locator('img');
  expect(await thumbnail.boundingBox()).toMatchObject({ width: 80, height: 80 });
  await page.getByRole('button', { name: 'Increase' }).click();
  await expect(page.getByText('Cart item updated successfully').first()).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Summary' }).getByText('$17.00').first()).toBeVisible();
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();

  await expect(page.getByRole('radio', { name: /12 Market Street/ })).toBeChecked();
  const said = () => document.body.innerText.includes('Order created successfully');
  const isSaid = page.waitForFunction(said, undefined, { polling: 50 }); // it is gone with the page, a moment later
  await page.getByRole('button', { name: 'Place Order' }).click();
  await isSaid;
  await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
  await expect(page.getByText('Test payment – no money moves')).toBeVisible();
  expect(new URL(page.url()).hostname).toBe('127.0.0.1'); // another site than the shop at localhost

  watch.expected.push(/402/);
  await payWith(page, '4000 0000 0000 0002');
  await expect(page.getByText(/declined/i).first()).toBeVisible();
  await payWith(page, '4242 4242 4242 4242');
  await expect(page).toHaveURL(/\/customer\/order\/success/);
  await expect(page.getByText('$17.00').first()).toBeVisible();
  const orderNumber =
    (
      await page
        .getByText(/^#?\d{4,}$/)
        .first()
        .textContent()
    )?.replace('#', '') ?? '';

  await page.getByRole('main').getByRole('link', { name: 'View order' }).click();
  const order = page.getByRole('article').first();
  await expect(order).toContainText(orderNumber);
  await expect(order).toContainText('Paid');
  await expect(order).toContainText('Grains of Selim');
  await page.goto('/cart');
  await expect(page.getByText('Cart is Empty')).toBeVisible();
});

test('a customer who returns unpaid keeps the cart, and the same order placed again is one order that can be paid', async ({
  page,
}) => {
  await signIn(page);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Domoda Peanut Base to cart' }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  await page.goto('/checkout');
  await page.getByText('12 Market Street').click();
  await page.getByRole('button', { name: 'Place Order' }).dblclick();
  await expect(page).toHaveURL(/\/c\/pay\//);
  const paymentPage = page.url();
  await page.getByRole('link', { name: /^Back to / }).click();
  await expect(page.getByRole('row', { name: /Domoda Peanut Base/ })).toBeVisible();
  await expect(page.getByText('Payment canceled. Your cart is still here.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Pay now for order/ })).toHaveAttribute('href', paymentPage);
  await page.setViewportSize({ width: 640, height: 400 }); // the button is at the end of the page
  await page.goto('/checkout');
  await page.getByText('12 Market Street').click();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page).toHaveURL(paymentPage);
  await page.goBack(); // to the checkout
  await expect(page.getByText('Payment canceled. Your cart is still here.')).toBeInViewport();
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 }); // so low that the summary begins beside the title
  await page.getByRole('link', { name: /^Pay now for order/ }).click();
  await expect(page).toHaveURL(paymentPage);
  await payWith(page, '4242 4242 4242 4242');
  await expect(page).toHaveURL(/\/customer\/order\/success/);
  await page.goto('/customer/orders');
  await expect(page.getByRole('article')).toHaveCount(1);
});
