/**
 * A shop as small as it can be, behind a network that loses, doubles and delays, for the tabs of releaseTabs.ts: it does
 * each change once by its Idempotency-Key, refuses what is gone, and writes down what it did and what must not happen.
 */
import { origin } from './releaseTabs';

export const ana = '6f3d5c1e-0d7a-4f57-9a38-1d1f2f0a7c11';
export const gone = 'gone';

type Sender = { isDead: () => boolean };

export function createShop(random: () => number) {
  const answers = new Map<string, Promise<{ status: number; body: object }>>();
  const shop = {
    /** The shop cannot be reached. */
    isDown: false,
    /** The network makes no faults. */
    isCalm: false,
    /** Each change once, in the order in which the shop did it: 'only 3', 'plus 2', 'message 1'. */
    done: [] as string[],
    wrongs: new Set<string>(),
    newKeyEachTime: false,
    /** The session is bound to a key: a new token is for a call with a proof. Whether that is good, no test here asks. */
    asksForProof: false,
  };
  let sending: { tab: Sender } | undefined;

  const happens = (likelihood: number) => !shop.isCalm && random() < likelihood;
  const aMoment = () => new Promise<void>((resolve) => setTimeout(resolve, random() * 4));

  /** @param tab who sends: never two that live at once */
  async function send(tab: Sender, request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (shop.isDown) throw new TypeError('Failed to fetch');
    if (pathname === '/healthz') return json(200, {});
    if (pathname.endsWith('/auth/nonce')) return json(200, { data: {} });
    if (pathname.endsWith('/auth/refresh-token')) {
      if (shop.asksForProof && !request.headers.has('dpop')) return json(401, { code: 'proof_required', message: '' });
      return json(200, { data: { authResponse: { jwt: tokenOf(ana) } } });
    }
    if (sending && sending.tab !== tab && !sending.tab.isDead()) shop.wrongs.add('two tabs sent at once');
    const mine = { tab };
    sending = mine;
    try {
      return await deliver(request);
    } finally {
      if (sending === mine) sending = undefined;
    }
  }

  async function deliver(request: Request): Promise<Response> {
    const text = await request.clone().text();
    const arrive = () => receive(request, text);
    if (happens(0.5)) await aMoment();
    if (happens(0.1)) throw new TypeError('Failed to fetch'); // lost on the way there
    if (happens(0.1)) await Promise.all([arrive(), arrive()]); // and the tab hears of neither, but of a third
    const { status, body } = await arrive();
    if (happens(0.1)) void aMoment().then(arrive); // once more, when others went by
    if (happens(0.5)) await aMoment();
    if (happens(0.15)) throw new TypeError('Failed to fetch'); // lost on the way back
    return json(status, body);
  }

  function receive(request: Request, text: string) {
    const key = request.headers.get('idempotency-key') ?? '';
    const known = shop.newKeyEachTime ? undefined : answers.get(key);
    if (known) return known;
    const answer = aMoment().then(() => act(request, text));
    answers.set(key, answer);
    return answer;
  }

  function act(request: Request, text: string): { status: number; body: object } {
    const { pathname } = new URL(request.url);
    const isSigned = request.headers.has('authorization');
    const said = (text ? JSON.parse(text) : {}) as {
      productId?: string;
      change?: number;
      quantity?: number;
      reason?: string;
    };
    if (pathname.endsWith('/contact/create')) {
      if (isSigned || request.credentials !== 'omit') shop.wrongs.add('a visitor’s message was sent as somebody');
      shop.done.push(said.reason ?? '');
      return { status: 201, body: { data: {} } };
    }
    if (request.headers.get('authorization') !== `Bearer ${tokenOf(ana)}`)
      shop.wrongs.add('a change was not sent as its user');
    if (said.productId === gone)
      return { status: 409, body: { code: 'product_unavailable', message: 'Not sold any more', errors: [] } };
    if (pathname.includes('/remove/'))
      return { status: 404, body: { code: 'cart_item_not_found', message: 'No such line', errors: [] } };
    if (said.change !== undefined) shop.done.push(`plus ${said.change}`);
    else shop.done.push(said.productId ?? '');
    return {
      status: 200,
      body: { data: { cartResponse: { cartId: 'c', cartItems: [], totalAmount: shop.done.length } } },
    };
  }

  return Object.assign(shop, { send });
}

const json = (status: number, body: object) => {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
};

/** Only whose it is counts here; nobody checks its signature. */
const tokenOf = (userId: string) => `e30.${btoa(JSON.stringify({ sub: userId, iss: origin }))}.none`;
