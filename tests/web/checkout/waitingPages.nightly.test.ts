import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cartItems, carts, orders, products } from '../../../src/server/db/schema/tables';
import { type Intent, intentKeptMs } from '../../../src/shared/intent';
import { kitchen } from '../../../src/web/device/lists';
import { findIntent, clearIntent, saveIntent } from '../../../src/web/waiting/savedIntent';
import { reachability } from '../../../src/web/server/reachability';
import { createRandom, type Random } from '../../chaos/random';
import { isNightly } from '../../support/nightly';
import { toldSeed } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, dialog, openTab, press, see, type Tab, until, waiting } from '../openTab';
import { buyer, card, isOff, ownerSets, standard } from './selling';

/**
 * Nothing is ordered automatically, on the real pages of the real shop: whatever happens to a waiting order, the shop
 * gets no order without a press, none with another total than the one beside the button, and one per press, even a
 * double one. waitingProperty.test.ts has more runs of the device alone, with clocks and two tabs.
 */
const runs = Number(process.env['INTENT_PAGE_RUNS'] ?? (isNightly ? 20 : 4));
const steps = 10;

let shop: TestShop;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => {
  shop = await openOwnShop();
  await ownerSets(shop, { methods: [standard], rates: [['GA', 40_000, true]] });
});
beforeEach(() => kitchen.ready());
afterEach(() => leave.mockClear());
afterAll(() => shop.close());

const said = () => (document.querySelector('main')?.textContent ?? '').replace(/\s+/g, ' ');
const buttonsOf = (name: RegExp) =>
  [...document.querySelectorAll<HTMLElement>('main button')].filter((each) =>
    name.test(each.getAttribute('aria-label') ?? each.textContent ?? ''),
  );
/** A page that has been rendered with its data. */
const drawn = () =>
  vi.waitFor(() => {
    if (!isDrawn()) throw new Error(`it is not drawn: ${document.querySelector('main')?.innerHTML}`);
  }, waiting);
const isDrawn = () => document.querySelector('main h1') !== null && !document.querySelector('main [aria-busy=true]');

class Life {
  readonly #chance: Random;
  #tab!: Tab;
  #person!: Person;
  /** The former users of this device, and their orders. */
  readonly #before: { person: Person; count: number }[] = [];
  #ordered = 0;

  constructor(chance: Random) {
    this.#chance = chance;
  }

  async begin(): Promise<void> {
    await this.#logIn();
    await this.#prepare();
    await this.#setDown(false);
  }

  /** @returns how many orders there were */
  async end(): Promise<number> {
    await this.#setDown(false);
    await this.#show('/cart');
    await this.#check(0);
    for (const { person, count } of this.#before) expect(await ordersOf(person)).toHaveLength(count);
    return this.#ordered + this.#before.reduce((sum, { count }) => sum + count, 0);
  }

  /** What a run leaves open is in every page after it. */
  close(): void {
    this.#tab.close();
  }

  async step(act?: keyof Life['acts']): Promise<void> {
    const { acts } = this;
    const name = act ?? this.#chance.oneOf(Object.keys(acts) as (keyof typeof acts)[]);
    trace.push(name);
    const calls = this.#tab.calls.length;
    const tab = this.#tab;
    const pressed = await acts[name]();
    await until(() => this.#tab.isAnswered());
    const placings = tab.calls.slice(calls).filter(({ method, path }) => method === 'POST' && isPlacing(path));
    expect(placings.length, 'one press asks for one order').toBeLessThanOrEqual(pressed ? 1 : 0);
    await this.#check(pressed ? 1 : 0, pressed?.shown);
  }

  /** @param most how many more orders there may be */
  async #check(most: number, shown?: number): Promise<void> {
    const made = (await ordersOf(this.#person)).slice(this.#ordered);
    expect(made.length, 'orders without a press of their own').toBeLessThanOrEqual(most);
    for (const { totalCents } of made) expect(totalCents, 'the total that stood there').toBe(shown);
    this.#ordered += made.length;
  }

  readonly acts = {
    prepare: () => this.#prepare(),
    'prepare anew': () => this.#prepare(),
    'lose the connection': () => this.#setDown(true),
    'have a connection': () => this.#setDown(false),
    look: () => this.#show('/checkout/waiting'),
    'look again': () => this.#show('/checkout/waiting'),
    browse: () => this.#show('/cart'),
    reload: () => this.#reload(this.#tab.path()),
    focus: () => void window.dispatchEvent(new Event('focus')),
    'another price': () => this.#sell({ priceCents: 1490 + 100 * this.#chance.below(3) }),
    'another stock': () => this.#sell({ quantity: this.#chance.below(4) }),
    'no longer sold': () => this.#sell({ archivedAt: this.#chance.below(2) ? new Date() : null }),
    'a day passes': () => this.#inAnotherTab((intent) => saveIntent({ ...intent, madeAt: Date.now() - intentKeptMs })),
    'given up in another tab': () => this.#inAnotherTab(clearIntent),
    'prepared in another tab': () =>
      this.#inAnotherTab((intent) => saveIntent({ ...intent, id: crypto.randomUUID(), madeAt: Date.now() })),
    'added on another device': () => this.#addElsewhere(),
    settle: () => this.#settle(),
    'settle again': () => this.#settle(),
    'go all the way': () => this.#goAllTheWay(),
    'go all the way again': () => this.#goAllTheWay(),
    'and again': () => this.#goAllTheWay(),
    press: () => this.#place(),
    'press again': () => this.#place(),
    'log out': () => this.#logOut(),
  } satisfies Record<string, () => Promise<{ shown: number } | void> | void>;

  async #logIn(): Promise<void> {
    this.#person = await buyer(shop, { states: ['GA'] });
    this.#ordered = 0;
    this.#tab = openTab(shop, '/cart', { as: this.#person });
    await see('Subtotal$31.80');
    await this.#show('/checkout');
    await card('1 GA Street');
  }

  async #setDown(isDown: boolean): Promise<void> {
    await this.#tab.setDown(isDown);
  }

  async #show(path: string): Promise<void> {
    await this.#tab.go(path);
    await drawn();
  }

  async #reload(path: string): Promise<void> {
    await until(() => this.#tab.isAnswered());
    this.#tab.close();
    this.#tab = openTab(shop, path, { as: this.#person, after: this.#tab });
    await reachability.probe();
    await drawn();
  }

  async #prepare(): Promise<void> {
    await this.#setDown(true);
    await this.#show('/checkout');
    await until(() => /Get this order ready now|Cart is Empty/.test(said()));
    if (said().includes('Cart is Empty')) return;
    const button = await control('Order when online');
    (await card('1 GA Street')).click();
    await until(() => !isOff(button));
    button.click();
    await see("Order ready to place when you're online");
  }

  async #sell(values: Partial<typeof products.$inferInsert>): Promise<void> {
    const [line] = await this.#lines();
    if (line) await shop.db.update(products).set(values).where(eq(products.id, line.productId));
  }

  #lines() {
    return shop.db
      .select({ productId: cartItems.productId })
      .from(cartItems)
      .innerJoin(carts, eq(carts.id, cartItems.cartId))
      .where(eq(carts.userId, this.#person.userId));
  }

  async #inAnotherTab(change: (intent: Intent) => Promise<void>): Promise<void> {
    const intent = await findIntent(this.#person.userId);
    if (intent) await change(intent);
  }

  async #addElsewhere(): Promise<void> {
    const { id: productId } = await shop.stock({ name: 'Ginger', priceCents: 800 });
    const { userId } = this.#person;
    await shop.call('addCartItem', { as: this.#person, path: { userId }, body: { productId, quantity: 1 } });
  }

  async #settle(): Promise<void> {
    const answer = this.#chance.oneOf([/^Take \d/, /^Remove /]);
    buttonsOf(answer)[0]?.click();
    await until(() => this.#tab.isAnswered());
  }

  async #goAllTheWay(): Promise<{ shown: number } | undefined> {
    if (!(await findIntent(this.#person.userId))) await this.#prepare();
    await this.#setDown(false);
    await this.#show('/checkout/waiting');
    while (said().includes('Review the highlighted items to continue')) {
      const before = said();
      [...buttonsOf(/^Discard$/), ...buttonsOf(/^Take \d/), ...buttonsOf(/^Remove /)][0]?.click();
      // oxlint-disable-next-line no-await-in-loop -- one by one
      await until(() => said() !== before && isDrawn());
    }
    await until(() => buttonsOf(/^Place Order$/).some((each) => !isOff(each)) || isWithoutOrder());
    return this.#place();
  }

  /** Presses Place Order where it can be pressed, once or twice. @returns the total beside it, in cents */
  async #place(): Promise<{ shown: number } | undefined> {
    if (this.#tab.path() !== '/checkout/waiting') return undefined;
    const [button] = buttonsOf(/^Place Order$/);
    const shown = Number(/Total\$([\d.]+)/.exec(said())?.[1]?.replace('.', ''));
    if (!button || isOff(button)) return undefined;
    const callsBefore = this.#tab.calls.length;
    button.click();
    if (this.#chance.below(2)) button.click();
    await until(() => this.#tab.cache.isMutating() === 0);
    const isPlaced = this.#tab.calls.slice(callsBefore).some(({ path, status }) => isPlacing(path) && status === 201);
    if (!isPlaced) return { shown };
    await until(() => leave.mock.calls.length > 0);
    leave.mockClear();
    await this.#reload('/cart'); // back from the payment page
    return { shown };
  }

  async #logOut(): Promise<void> {
    await this.#setDown(false);
    const { userId } = this.#person;
    await press('Account settings');
    await press('Logout');
    const isAsked = () => document.querySelector('[role=alertdialog]') !== null;
    await until(() => isAsked() || this.#tab.path() === '/');
    if (isAsked()) {
      const asked = await dialog();
      await press(
        asked.textContent?.includes('Delete order and log out') ? 'Delete order and log out' : 'Discard and log out',
        asked,
      );
    }
    await until(() => this.#tab.path() === '/');
    expect(await findIntent(userId)).toBeUndefined();
    this.#tab.close();
    this.#before.push({ person: this.#person, count: this.#ordered });
    await this.#logIn();
  }
}

const isWithoutOrder = () => /no order waiting|Cart is Empty|Go online to|highlighted items/.test(said());
const isPlacing = (path: string) => /^\/public\/order\/[^/]+\/payment\/[^/]+$/.test(path);
const ordersOf = ({ userId }: Person) =>
  shop.db.select().from(orders).where(eq(orders.userId, userId)).orderBy(orders.createdAt);
/** The actions so far, for a failing run. */
let trace: string[] = [];

test(
  `in ${runs} random runs of the pages nothing is ordered without a press, and nothing twice`,
  { timeout: 3_600_000 },
  async () => {
    const seed = toldSeed();
    for (let run = 0; run < runs; run++) {
      trace = [`run ${run}`];
      const life = new Life(createRandom(seed + run));
      try {
        await life.begin();
        if (run === 0) await life.step('go all the way'); // what is pressed is ordered
        for (let step = 0; step < steps; step++) await life.step();
        const ordered = await life.end();
        if (run === 0) expect(ordered).toBeGreaterThan(0);
      } catch (error) {
        throw new Error(`after ${trace.join(', ')}: ${error instanceof Error ? error.message : ''}`, { cause: error });
      } finally {
        life.close();
      }
    }
  },
);
