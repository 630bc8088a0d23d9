import { taxRates } from '../../../src/server/db/schema';
import { tellAfterCommit, transact } from '../../../src/server/db/transact';
import { randomUUID } from 'node:crypto';
import { openOrder, paidOrder } from '../../support/buying';
import { listsOf } from '../../support/lists';
import { press, until } from '../openTab';
import { asOwner, open, returnFrom, stage } from './stage';

/** A place of the app that reads something and says what became of it. */
export interface Read {
  /** The file below src/web that asks. */
  at: string;
  /** What it asks for: the query that it names. */
  what: string;
  /** The calls that the shop refuses here, by their path. */
  refused: RegExp;
  /** What is said when the refusal has no sentence. */
  failure: string;
  /** Opens what shows it. @param refuse is called as soon as the tab is open */
  provoke: (refuse: () => void) => Promise<unknown>;
  /** What leads on where there is no such thing: a link, the button that closes a dialog, or the page that is in its place. */
  back: { link: string } | 'closes' | 'not found';
  /** What is said while it is on its way; without it nothing is shown then, or there is most often nothing to come. */
  loading?: string;
  /** The order history says it as a toast as well. */
  isToldTwice?: true;
}

type Who = 'visitor' | 'customer' | 'owner';

export const nobody = 'a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043';
export const ownAccount = /\/public\/users\/[^/]+$/;
export const noProfile = 'Error loading user profile';

export async function openAs(who: Who, at: string, refuse: () => void): Promise<void> {
  const as = { visitor: async () => undefined, customer: () => stage.shop.signIn(), owner: asOwner };
  open(at, await as[who]());
  refuse();
}

/** Opens a page that asks by itself. */
export const page = (who: Who, at: string | (() => Promise<string>)) => async (refuse: () => void) =>
  openAs(who, typeof at === 'string' ? at : await at(), refuse);

async function openCheckout(refuse: () => void): Promise<void> {
  const as = await stage.shop.signIn();
  const { id: productId } = await stage.shop.stock();
  await stage.shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId, quantity: 1 } });
  open('/checkout', as);
  refuse();
}

/** In a shop whose owner set something that may come to the goods. */
async function openCheckoutWithTax(refuse: () => void): Promise<void> {
  const { db, clock } = stage.shop;
  await transact(db, async (tx) => {
    const rate = { state: 'WY', ratePpm: 40_000, changedAt: clock.now() };
    await tx.insert(taxRates).values(rate).onConflictDoNothing();
    tellAfterCommit(tx, 'settings', '');
  });
  await openCheckout(refuse);
}

async function returnFromPaying(refuse: () => void): Promise<void> {
  const order = await openOrder(stage.shop);
  open(returnFrom(order), order.as);
  refuse();
}

async function typeIntoSearch(refuse: () => void): Promise<void> {
  await openAs('visitor', '/contact', refuse);
  const field = () => document.querySelector<HTMLInputElement>('[role=combobox]');
  const slash = () => new KeyboardEvent('keydown', { key: '/', bubbles: true });
  await until(() => field() !== null || (document.body.dispatchEvent(slash()), false)); // once what opens it has come
  const input = field() as HTMLInputElement;
  Reflect.set(Object.getPrototypeOf(input) as object, 'value', 'pepper', input); // past React, which watches its own
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

async function reorder(refuse: () => void): Promise<void> {
  const { as, orderNumber } = await paidOrder(stage.shop);
  open('/customer/orders', as);
  refuse();
  await press(`Reorder ${orderNumber}`);
}

const home = { link: 'Home' };

const ofCatalog: Read[] = [
  {
    at: 'products/ProductPage.tsx',
    what: 'productQuery',
    loading: 'Loading the product',
    refused: /\/public\/products\/[^/]+$/,
    failure: 'Failed to fetch product',
    provoke: page('visitor', `/customer/view/product/${nobody}`),
    back: 'not found',
  },
  {
    at: 'products/ProductListPage.tsx',
    what: 'categoryProductsQuery',
    loading: 'Loading the products',
    refused: /\/public\/products\/category\//,
    failure: 'Failed to fetch products by category',
    provoke: page('visitor', '/products/spices'),
    back: 'not found',
  },
  {
    at: 'home/ProductShelf.tsx',
    what: 'firstProductsQuery',
    loading: 'Loading the products',
    refused: /\/public\/products$/,
    failure: 'Failed to fetch products',
    provoke: page('visitor', '/'),
    back: home,
  },
  {
    at: 'search/SearchPage.tsx',
    what: 'foundQuery',
    loading: 'Loading the results',
    refused: /\/public\/search$/,
    failure: 'Failed to search products',
    provoke: page('visitor', '/search?q=pepper'),
    back: home,
  },
  {
    at: 'search/SearchPanel.tsx',
    what: 'foundQuery',
    loading: 'Loading the results',
    refused: /\/public\/search$/,
    failure: 'Failed to search products',
    provoke: typeIntoSearch,
    back: 'closes',
  },
];

const ofBuying: Read[] = [
  {
    at: 'cart/CartPage.tsx',
    what: 'cartQuery',
    loading: 'Loading your cart',
    refused: /\/public\/cart\/[^/]+$/,
    failure: 'Cart data is not available',
    provoke: page('customer', '/cart'),
    back: home,
  },
  {
    at: 'checkout/CheckoutPage.tsx',
    what: 'cartQuery',
    loading: 'Loading your cart',
    refused: /\/public\/cart\/[^/]+$/,
    failure: 'Cart data is not available',
    provoke: page('customer', '/checkout'),
    back: { link: 'Cart' },
  },
  {
    at: 'checkout/CheckoutPage.tsx',
    what: 'userQuery',
    loading: 'Loading your addresses',
    refused: ownAccount,
    failure: 'Failed to fetch user',
    provoke: openCheckout,
    back: { link: 'Cart' },
  },
  {
    at: 'checkout/useTotal.ts',
    what: 'quoteQuery',
    loading: 'Loading the total',
    refused: /\/quote\//,
    failure: 'Failed to work out the total',
    provoke: openCheckoutWithTax,
    back: { link: 'Cart' },
  },
  {
    at: 'checkout/PaymentResultPage.tsx',
    what: 'paymentQuery',
    refused: /\/check-status$/,
    failure: 'Failed to process payment',
    provoke: returnFromPaying,
    back: { link: 'Back to Cart' },
  },
  {
    at: 'orders/OrdersPage.tsx',
    what: 'ordersQuery',
    loading: 'Loading your orders',
    refused: /customerorders/,
    failure: 'Failed to load order history.',
    provoke: page('customer', '/customer/orders'),
    back: home,
    isToldTwice: true,
  },
  {
    at: 'orders/ReceiptPage.tsx',
    what: 'orderQuery',
    loading: 'Loading the receipt',
    refused: /\/public\/order\/[^/]+$/,
    failure: 'Failed to load the receipt',
    provoke: page('customer', `/customer/orders/${nobody}/receipt`),
    back: { link: 'Orders' },
  },
  {
    at: 'orders/ReorderDialog.tsx',
    what: 'reorderQuery',
    loading: 'Loading what can be had now',
    refused: /\/reorder$/,
    failure: 'Failed to read what can be ordered again',
    provoke: reorder,
    back: 'closes',
  },
];

/** A list of Ana's with a product on it. */
async function openList(refuse: () => void, below = ''): Promise<void> {
  const as = await stage.shop.signIn();
  const listId = randomUUID();
  await listsOf(() => stage.shop).create(as, listId);
  open(`/customer/lists/${listId}${below}`, as);
  refuse();
}

async function addProduct(refuse: () => void): Promise<void> {
  await openList(refuse, '#add-product');
  const inDialog = () => document.querySelector<HTMLInputElement>('[role=dialog] [role=combobox]');
  await until(() => inDialog() !== null);
  const input = inDialog() as HTMLInputElement;
  Reflect.set(Object.getPrototypeOf(input) as object, 'value', 'pepper', input);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

const ofLists = (file: string, below: string, loading: string): Read => ({
  at: `kitchen/${file}`,
  what: 'listsQuery',
  loading,
  refused: /\/public\/lists\/[^/]+$/,
  failure: 'Failed to load your lists',
  provoke: page('customer', `/customer/lists${below}`),
  back: home,
});

const ofKitchen: Read[] = [
  ofLists('ListsPage.tsx', '', 'Loading your lists'),
  ofLists('ListPage.tsx', `/${nobody}`, 'Loading the list'),
  ofLists('CountPage.tsx', `/${nobody}/count`, 'Loading the list'),
  {
    at: 'kitchen/AddProduct.tsx',
    what: 'foundQuery',
    loading: 'Loading the results',
    refused: /\/public\/search$/,
    failure: 'Failed to search products',
    provoke: addProduct,
    back: 'closes',
  },
];

const ofAccount = (file: string, address: string, failure = noProfile, loading = 'Loading your profile'): Read => ({
  at: `account/${file}`,
  what: 'userQuery',
  loading,
  refused: ownAccount,
  failure,
  provoke: page('customer', address),
  back: home,
});

export const storefrontReads: Read[] = [
  ...ofCatalog,
  ...ofBuying,
  ...ofKitchen,
  ofAccount('ProfilePage.tsx', '/customer/view/profile'),
  ofAccount('EditProfilePage.tsx', '/customer/edit/profile'),
  ofAccount('SecondFactorPage.tsx', '/customer/edit/second-factor'),
  ofAccount('AddressesPage.tsx', '/customer/view/addresses', 'Failed to fetch user', 'Loading your addresses'),
  {
    at: 'account/SessionList.tsx',
    what: 'sessionsQuery',
    loading: 'Loading your sessions',
    refused: /\/sessions$/,
    failure: 'Failed to fetch the sessions',
    provoke: page('customer', '/customer/view/profile'),
    back: home,
  },
];
