import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { toast as toasts } from 'react-hot-toast/headless';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { pictures } from '../../../src/server/db/schema/tables';
import { registrationForm } from '../../../src/shared/authForms';
import { ApiError } from '../../../src/web/server/errors';
import { createQueryClient } from '../../../src/web/app/queryClient';
import { orSaved } from '../../../src/web/device/answers';
import { ordersQuery } from '../../../src/web/orders/queries';
import { toast } from '../../../src/web/ui/toast';
import { Toaster } from '../../../src/web/ui/Toaster';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { chooseNewAddress, control, openTab, press, registration, type Tab, until } from '../openTab';

/**
 * The limits and times of docs/rules, by their effects. Those that need a real browser, the corner of toasts and a
 * click anywhere on one, are in tests/e2e/flows/purchase.spec.ts.
 */
const hash = '0123456789abcdef';
let shop: TestShop;
let customer: Person;
let owner: Person;
let tab: Tab | undefined;
let root: Root | undefined;
beforeAll(async () => {
  shop = await openOwnShop();
  customer = await shop.signIn();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  const size = { width: 1600, height: 1600, widths: [160, 320, 640, 1280] };
  await shop.db.insert(pictures).values({ hash, ...size, placeholder: '#804020', createdAt: shop.clock.now() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  tab?.close();
  tab = undefined;
  root?.unmount();
  root = undefined;
  toasts.remove();
});
afterAll(() => shop.close());

/** Two units at $4.50, with a picture. */
async function putInCart(as = customer): Promise<void> {
  const { id: productId } = await shop.stock({ pictureHash: hash });
  await shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId, quantity: 2 } });
}

const { setTimeout: reallyLater } = globalThis;
/** Lets everything run that needs no clock: rendering, modules, promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => reallyLater(resolve, 1));
}
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });

describe('lists', () => {
  /** Opens a URL, and waits until its page requests ten rows of the list. */
  const seeTenAsked = async (at: string, list: RegExp, as?: Person): Promise<void> => {
    const asked: (string | null)[] = [];
    tab = openTab(shop, at, { as });
    tab.network.passes = ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (list.test(pathname)) asked.push(searchParams.get('size'));
      return true;
    };
    await until(() => asked.includes('10'));
  };
  test.each([
    ['orders', '/ordered/products', /\/admin\/orders$/, 'owner'],
    ['order history', '/customer/orders', /\/customerorders\//, 'customer'],
  ] as const)('pages of 10: %s', (_, at, list, who) => seeTenAsked(at, list, { owner, customer }[who]));

  test('100 categories in dropdowns', async () => {
    await Promise.all(Array.from({ length: 101 }, () => shop.category()));
    tab = openTab(shop, '/new/product', { as: owner });
    const choices = () => document.querySelectorAll('select[name=category] option:not([value=""])').length;
    await until(() => choices() > 0);
    expect(choices()).toBe(100);
  });
});

describe('toasts', () => {
  const said = () => document.body.textContent?.includes('Item removed from cart') ?? false;
  const tell = async () => {
    stopClock();
    root = createRoot(document.body.appendChild(document.createElement('div')));
    root.render(createElement(Toaster));
    await settle();
    toast.success('Item removed from cart');
    await settle();
    expect(said()).toBe(true);
  };
  const point = async (type: 'mouseover' | 'mouseout') => {
    document.querySelector('[role=status]')?.dispatchEvent(new MouseEvent(type, { bubbles: true }));
    await settle();
  };

  test('close automatically after 5000 ms', async () => {
    await tell();
    await pass(4990);
    expect(said()).toBe(true);
    await pass(20);
    expect(said()).toBe(false);
  });

  test('pause while the pointer is over them', async () => {
    await tell();
    await pass(4000);
    await point('mouseover');
    await pass(60_000);
    expect(said()).toBe(true);
    await point('mouseout');
    await pass(900);
    expect(said()).toBe(true);
    await pass(200);
    expect(said()).toBe(false);
  });

  test('offer Undo for its full time, also under the pointer, and stay without it', async () => {
    await tell();
    toast.success('Moved', { label: 'Undo', onPress: () => undefined, endsAt: Date.now() + 10_000 });
    await settle();
    const undo = await control('Undo');
    undo.focus();
    await settle();
    await pass(9_000);
    expect(undo.isConnected).toBe(true);
    await pass(1_000);
    expect(undo.isConnected).toBe(false);
    expect(document.body.textContent).toContain('Moved');
  });

  test('close on a click', async () => {
    await tell();
    await press('Close');
    await settle();
    expect(said()).toBe(false);
  });
});

test('the browser leaves for the payment after 1000 ms', async () => {
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  leave.mockClear();
  await putInCart();
  tab = openTab(shop, '/checkout', { as: customer });
  await chooseNewAddress();
  stopClock();
  await press('Place Order');
  while (!document.body.textContent?.includes('Order created successfully')) await pass(1);
  await pass(950);
  expect(leave).not.toHaveBeenCalled();
  await pass(50);
  expect(leave).toHaveBeenCalledOnce();
});

describe('retries', () => {
  /** When each attempt was made, in ms from the first. */
  const triesOf = async (act: (fails: () => Promise<never>) => Promise<unknown>) => {
    stopClock();
    const start = Date.now();
    const tries: number[] = [];
    const done = act(() => {
      tries.push(Date.now() - start);
      return Promise.reject(new ApiError(500, { code: 'internal' }));
    });
    const failed = expect(done).rejects.toThrow(ApiError);
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
    return tries;
  };
  const cache = createQueryClient();

  test('order history is retried 3 times, 1000 ms apart', async () => {
    const { queryFn: _, ...options } = ordersQuery(customer.userId, 1);
    const tries = await triesOf((fails) => cache.fetchQuery({ ...options, queryFn: fails }));
    expect(tries).toEqual([0, 1000, 2000, 3000]);
  });

  test('any other query 3 times', async () => {
    expect(await triesOf((fails) => cache.fetchQuery({ queryKey: ['any'], queryFn: fails }))).toHaveLength(4);
  });

  test('a change never', async () => {
    const change = (fails: () => Promise<never>) =>
      cache.getMutationCache().build(cache, { mutationFn: fails }).execute(undefined);
    expect(await triesOf(change)).toHaveLength(1);
  });
});

test('saved data is shown once the network has taken 5000 ms', async () => {
  stopClock();
  let shown = '';
  const never = new Promise<string>(() => undefined);
  void orSaved({ client: createQueryClient(), queryKey: ['any'] }, never, async () => 'kept').then(
    (kept) => (shown = kept),
  );
  await pass(4990);
  expect(shown).toBe('');
  await pass(20);
  expect(shown).toBe('kept');
});

test('a later response replaces the saved data, unless something newer did', async () => {
  stopClock();
  const cache = createQueryClient();
  const readLate = (queryKey: string[]) => {
    let say = (_answer: string): void => undefined;
    const late = new Promise<string>((resolve) => (say = resolve));
    void cache.fetchQuery({ queryKey, queryFn: (query) => orSaved(query, late, async () => 'kept') });
    return say;
  };
  const say = readLate(['read']);
  const sayTooLate = readLate(['changed']);
  await pass(5010);
  expect(cache.getQueryData(['read'])).toBe('kept');
  cache.setQueryData(['changed'], 'newer');
  say('the shop’s');
  sayTooLate('the shop’s of before');
  await pass(10);
  expect(cache.getQueryData(['read'])).toBe('the shop’s');
  expect(cache.getQueryData(['changed'])).toBe('newer');
});

describe('forms', () => {
  const isTaken = (change: object) => registrationForm({}).safeParse({ ...registration, ...change }).success;

  test('a password has 8 characters or more, a postal code 5 digits', () => {
    const password = (text: string) => isTaken({ password: text, confirmPassword: text });
    expect([password('pepper1'), password('pepper-1')]).toEqual([false, true]);
    expect(['3030', '30303', '303031'].map((postalCode) => isTaken({ postalCode }))).toEqual([false, true, false]);
  });

  test('the 50 states and DC with codes, DC last', async () => {
    tab = openTab(shop, '/register');
    await control('Register');
    const options = [...document.querySelectorAll<HTMLOptionElement>('select[name=state] option')];
    const codes = options.map(({ value }) => value).filter((code) => /^[A-Z]{2}$/.test(code));
    expect(new Set(codes).size).toBe(51);
    expect(codes.at(-1)).toBe('DC');
  });
});

describe('the cart', () => {
  const badge = () => document.querySelector('header a[href="/cart"] [aria-hidden]:not(svg)')?.textContent;

  test('has a badge only above 0', async () => {
    const as = await shop.signIn();
    tab = openTab(shop, '/', { as });
    await control('Cart, 0 items');
    expect(badge()).toBeUndefined();
    tab.close();
    await putInCart(as);
    tab = openTab(shop, '/', { as });
    await control('Cart, 2 items');
    expect(badge()).toBe('2');
  });
});
