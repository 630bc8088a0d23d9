import { expect } from 'vitest';
import { cartQuery } from '../../../src/web/cart/queries';
import { openOrder } from '../../support/buying';
import { press, see } from '../openTab';
import {
  asVisitor,
  chooseNewAddress,
  clear,
  failing,
  inCart,
  logIn,
  onPage,
  open,
  refusal,
  refusing,
  register,
  registration,
  returnFrom,
  stage,
  type Table,
  whilePlacing,
} from './stage';

const nobody = '00000000-0000-4000-8000-000000000000';

/** The sentences of catalog, cart and orders, and those that a visitor sees. */
export const catalogue: Table = {
  'Failed to fetch product': asVisitor(
    '/',
    // a refusal would say that there is no such product
    (tab) => failing(/\/public\/products\/[^/]+$/, () => tab.go(`/customer/view/product/${nobody}`))(tab),
    'Failed to fetch product',
  ),
  'Failed to fetch products by category': asVisitor(
    '/',
    (tab) => failing(/\/public\/products\/category\//, () => tab.go('/products/spices'))(tab),
    'Failed to fetch products by category',
  ),
  'Failed to fetch user': onPage(
    '/',
    (tab) => refusing(/\/public\/users\//, () => tab.go('/checkout'))(tab),
    'Failed to fetch user',
  ),
  ...Object.fromEntries([
    inCart('Cart item updated successfully', () => press('Increase')),
    inCart(
      'Failed to update cart item',
      refusing(/item\/update/, () => press('Increase')),
    ),
    inCart('Item removed from cart', () => press('Remove Black pepper')),
    inCart(
      'Failed to remove cart item',
      refusing(/remove/, () => press('Remove Black pepper')),
    ),
    inCart('Cart cleared successfully', clear),
    inCart('Failed to clear cart', refusing(/clear/, clear)),
  ]),
  'Item added to cart successfully': onPage(
    '/customer/view/product/{product}',
    () => press('Add to cart'),
    'Item added to cart successfully',
  ),
  'Failed to add item to cart': onPage(
    '/customer/view/product/{product}',
    refusing(/cart\/add/, () => press('Add to cart')),
    'Failed to add item to cart',
  ),
  'Failed to process payment': async () => {
    const order = await openOrder(stage.shop);
    await stage.shop.control('fault', { next: 2, kind: '503' });
    open(returnFrom(order), order.as);
    await see('Failed to process payment');
  },
  'Payment Processing Error': async () => {
    const order = await openOrder(stage.shop);
    open(returnFrom(order), order.as);
    await see('Payment Processing Error');
  },
  'Failed to load order history.': onPage(
    '/',
    (tab) => refusing(/customerorders/, () => tab.go('/customer/orders'))(tab),
    'Failed to load order history.',
  ),
  'No orders found.': onPage('/customer/orders', async () => undefined, 'No orders found.'),
  'Failed to fetch order history': onPage(
    '/',
    (tab) => refusing(/customerorders/, () => tab.go('/customer/orders'))(tab),
    'Failed to fetch order history',
  ),
  ...Object.fromEntries([
    whilePlacing('Failed to create order', refusal),
    whilePlacing('Order creation failed. Please try again.', () => {
      throw new TypeError('Failed to fetch');
    }),
    whilePlacing('Order created but payment URL not found. Please contact support.', () =>
      Response.json({ message: 'Order', data: {} }, { status: 201 }),
    ),
    whilePlacing('Payment URL not found in server response', () =>
      Response.json({ message: 'Order', data: {} }, { status: 201 }),
    ),
  ]),
  'User data is not available': asVisitor(
    '/login',
    async (tab) => {
      tab.network.answers = (pathname) =>
        pathname.endsWith('/login') ? Response.json({ message: 'Login', data: {} }) : undefined;
      await logIn('nobody@example.com');
    },
    'User data is not available',
  ),
  'User ID is required to fetch the cart': async () => {
    const { queryFn } = cartQuery('') as { queryFn: (context: object) => Promise<unknown> };
    await expect(queryFn({})).rejects.toThrow('User ID is required to fetch the cart');
  },
  'Order created successfully': onPage(
    '/checkout',
    async () => {
      await chooseNewAddress();
      await press('Place Order');
    },
    'Order created successfully',
  ),
  'Incorrect username/password': asVisitor('/login', () => logIn('nobody@example.com'), 'Incorrect username/password'),
  'Login successful': async () => {
    await stage.shop.call('register', { body: { ...registration, email: 'known@example.com' } });
    await asVisitor('/login', () => logIn('known@example.com'), 'Login successful')();
  },
  'Logout successful': onPage(
    '/',
    async () => {
      await press('Settings');
      await press('Logout');
    },
    'Logout successful',
  ),
  'Registration successful!': asVisitor('/register', () => register('new@example.com'), 'Registration successful!'),
  'Registration failed': asVisitor(
    '/register',
    (tab) => failing(/register/, () => register('other@example.com'))(tab),
    'Registration failed',
  ),
  'Something went wrong. Please try again.': onPage(
    '/',
    async (tab) => {
      await refusing(/logout/, async () => {
        await press('Settings');
        await press('Logout');
      })(tab);
    },
    'Something went wrong. Please try again.',
  ),
  'Login to see items in your cart': asVisitor('/', () => press('Cart'), 'Login to see items in your cart'),
  'You need to be logged in to add items to your cart': async () => {
    const { id } = await stage.shop.stock();
    open(`/customer/view/product/${id}`);
    await press('Add to cart');
    await see('You need to be logged in to add items to your cart');
  },
  'Cart is Empty': async () => {
    open('/cart', await stage.shop.signIn());
    await see('Cart is Empty');
  },
  'No saved addresses found.': onPage('/checkout', async () => undefined, 'No saved addresses found.'),
  'Processing your payment...': async () => {
    const order = await openOrder(stage.shop);
    const { network } = open(returnFrom(order), order.as);
    network.delays = ({ url }) => (url.includes('check-status') ? new Promise<void>(() => undefined) : undefined);
    await see('Processing your payment...');
  },
};
