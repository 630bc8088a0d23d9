import type { SignedIn } from '../../support/auth';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { fill, openTab, press, see, type Tab } from '../openTab';

/** How a sentence is brought about: on a page of the shop under test, in a tab that is closed after each. */
export type Provoke = () => Promise<unknown>;
export type Table = Record<string, Provoke>;

let tab: Tab | undefined;
export const stage = {
  shop: undefined as unknown as TestShop,
  async raise() {
    stage.shop = await openShop();
  },
  /** The tab that is open. */
  tab(): Tab {
    if (!tab) throw new Error('no tab is open');
    return tab;
  },
  clear() {
    tab?.close();
    tab = undefined;
  },
};

export function open(at: string, as?: Person | SignedIn): Tab {
  tab = openTab(stage.shop, at, { as });
  return tab;
}

export const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
export const registration = {
  fullName: 'Example Cook',
  email: 'cook@example.com',
  password: 'pepper and salt',
  confirmPassword: 'pepper and salt',
  ...address,
};

/** Opens a page as a customer with a line in the cart, and does something there. */
export const onPage =
  (at: string, act: (open: Tab, as: Person) => Promise<unknown>, sentence: string): Provoke =>
  async () => {
    const as = await stage.shop.signIn();
    const { id: productId } = await stage.shop.stock({ quantity: 9 });
    await stage.shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId, quantity: 2 } });
    await act(open(at.replace('{product}', productId), as), as);
    await see(sentence);
  };
export const inCart = (sentence: string, act: (open: Tab) => Promise<unknown>): [string, Provoke] => [
  sentence,
  onPage(
    '/cart',
    async (open) => {
      await see('Black pepper');
      await act(open);
    },
    sentence,
  ),
];
export const whilePlacing = (sentence: string, answers: () => Response): [string, Provoke] => [
  sentence,
  onPage(
    '/checkout',
    async (open) => {
      await chooseNewAddress();
      open.network.answers = (pathname) => (pathname.includes('/payment/') ? answers() : undefined);
      await press('Place Order');
    },
    sentence,
  ),
];
export const failing = (breaks: RegExp, act: () => Promise<unknown>) => async (open: Tab) => {
  open.network.breaks = breaks;
  await act();
};
/** The shop refuses without a word, so that the page has to find its own. */
export const refusing = (refused: RegExp, act: () => Promise<unknown>) => async (open: Tab) => {
  open.network.answers = (pathname) => (refused.test(pathname) ? refusal() : undefined);
  await act();
};
export const refusal = () =>
  new Response('{"code":"refused"}', { status: 400, headers: { 'content-type': 'application/problem+json' } });
export const clear = async () => {
  await press('Clear Cart');
  await see('Everything in your cart will be removed.');
  await press('Clear Cart', document.querySelector('[role=dialog], [role=alertdialog]') ?? document);
};
export const asVisitor =
  (at: string, act: (open: Tab) => Promise<unknown>, sentence: string): Provoke =>
  async () => {
    await act(open(at));
    await see(sentence);
  };

export const asOwner = () => stage.shop.signIn({ role: 'ROLE_OWNER' });
export const onStaffPage =
  (at: string, act: (open: Tab) => Promise<unknown>, sentence: string): Provoke =>
  async () => {
    await act(open(at, await asOwner()));
    await see(sentence);
  };

export const returnFrom = ({ sessionId, userId, cartId }: { sessionId: string; userId: string; cartId: string }) =>
  `/customer/order/success?session_id=${sessionId}&user_id=${userId}&cart_id=${cartId}`;

export async function chooseNewAddress(): Promise<void> {
  await press('Add New Address');
  await fill('Full Name', 'Example Cook');
  await fill('Street Address', '12 Market Street');
  await fill('City', 'Atlanta');
  await fill('State', 'GA');
  await fill('Postal Code', '30303');
  await press('Use This Address');
  await see('Selected New Address:');
}

export async function logIn(email: string): Promise<void> {
  await fill('Email', email);
  await fill('Password', registration.password);
  await press('Login', document.querySelector('main') ?? document);
}

export async function register(email: string): Promise<void> {
  await fill('Full Name', registration.fullName);
  await fill('Email', email);
  await fill('Password', registration.password);
  await fill('Confirm Password', registration.password);
  await fill('Street', address.street);
  await fill('City', address.city);
  await fill('State', 'GA');
  await fill('Postal Code', address.postalCode);
  await press('Register', document.querySelector('main') ?? document);
}
