/**
 * One tab of a browser: the real pages, router and query cache in a simulated document, with every call going straight
 * into the real app. Cookies are stored as a browser does. Only leaving the shop for another site is intercepted.
 */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { toast } from 'react-hot-toast/headless';
import { vi } from 'vitest';
import { stopAll } from '../../src/web/browser/listen';
import { accessToken } from '../../src/web/server/accessToken';
import { replaceNetwork } from '../../src/web/server/send';
import { session } from '../../src/web/server/session';
import { clearCatalog } from '../../src/web/device/catalog';
import { db } from '../../src/web/device/db';
import { kitchen } from '../../src/web/device/lists';
import { reachability } from '../../src/web/server/reachability';
import { startLiveUpdates } from '../../src/web/app/liveUpdates';
import { keepFocus } from '../../src/web/ui/keepFocus';
import { messages } from '../../src/web/ui/toast';
import { createShop, followSession } from '../../src/web/app/shop';
import type { SignedIn } from '../support/auth';
import type { Person } from '../support/shop';

// the simulated browser has no printer: a printing page would fail, possibly after its test's assertions
window.print ??= () => undefined;

/** Where the calls go: the real app, or a stand-in. */
export type Answering = {
  app: {
    inject: (call: { method: 'GET'; url: string; headers: Record<string, string>; payload?: Buffer }) => PromiseLike<{
      statusCode: number;
      body: string;
      headers: Record<string, string | number | string[] | undefined>;
      cookies: { name: string; value: string }[];
    }>;
  };
};

/** Between the tab and the shop. */
type Network = {
  breaks: RegExp | undefined;
  answers: (pathname: string) => Response | undefined;
  /** Calls whose path matches never get a response, as on a stalling network. */
  hangs: RegExp | undefined;
  /** Nothing gets through. */
  isDown: boolean;
  /** Called when a request arrived and was answered; a response that it rejects is lost on its way. */
  passes: (request: Request) => boolean;
  /** What the response to a request waits for, once it exists. */
  delays: (request: Request) => Promise<void> | undefined;
};

const asPeopleReadMs = messages.stayMs;

export type Tab = ReturnType<typeof openTab>;
export type Call = { method: string; path: string; status: number };

type Opening = {
  /** Who is signed in already: by an access token, or by the cookies of a login after a reload. */
  as?: Person | SignedIn | undefined;
  /** An earlier, closed tab of the same browser: its data is still there, including its missing network. */
  after?: { cookies: Map<string, string>; network: Network };
};

export function openTab(shop: Answering, path: string, { as, after }: Opening = {}) {
  allowCallsElsewhere();
  if (!after) {
    localStorage.clear();
    sessionStorage.clear();
    session.clear();
  }
  accessToken.forget();
  const cookies = after?.cookies ?? new Map<string, string>();
  if (as) rememberLogin(as, cookies);

  const calls: Call[] = [];
  const answers = new Map<Response, string>();
  let unanswered = 0;
  const network: Network = after?.network ?? {
    breaks: undefined,
    hangs: undefined,
    answers: () => undefined,
    isDown: false,
    passes: () => true,
    delays: () => undefined,
  };
  reachability.noteAnswer();
  replaceNetwork(async (request) => {
    // a proxy's response when the shop behind it is down: not one of ours
    const instead = network.answers(new URL(request.url).pathname);
    if (instead) return instead;
    if (network.breaks?.test(new URL(request.url).pathname))
      return new Response('<h1>Bad Gateway</h1>', { status: 502 });
    if (network.hangs?.test(new URL(request.url).pathname)) return untilGivenUp(request.signal);
    if (network.isDown) throw new TypeError('Failed to fetch');
    unanswered += 1;
    const { status, body, headers } = await inject(shop, request, cookies).finally(() => (unanswered -= 1));
    await network.delays(request);
    if (!network.passes(request)) throw new TypeError('Failed to fetch');
    if (new URL(request.url).pathname.startsWith('/api/')) {
      calls.push({ method: request.method, path: new URL(request.url).pathname.slice('/api'.length), status });
    }
    const response = new Response(status === 204 ? null : body, { status, headers });
    answers.set(response, new URL(request.url).pathname);
    return response;
  });

  messages.stayMs = waiting.timeout; // a busy machine polls more slowly than people look
  const app = createShop(createMemoryHistory({ initialEntries: [path] }));
  const stopFollowing = followSession(app);
  const stopKeeping = stopAll(startLiveUpdates(app), keepFocus());
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  root.render(createElement(RouterProvider, { router: app.router }));

  return {
    calls,
    /** Calls whose path matches get no response from the shop. */
    network,
    cookies,
    /**
     * Takes the network away or restores it.
     * @returns when the shop has noticed; earlier requests may still report the old state
     */
    async setDown(isDown: boolean): Promise<void> {
      network.isDown = isDown;
      await vi.waitFor(async () => {
        if ((await reachability.probe()) === isDown) throw new Error('the shop has not noticed');
      }, waiting);
    },
    /** URLs of the unread responses: to a browser these calls are in flight. */
    unread: () => [...answers].flatMap(([{ body, bodyUsed }, pathname]) => (body && !bodyUsed ? [pathname] : [])),
    /** Whether the shop has answered every call that it received. */
    isAnswered: () => unanswered === 0,
    /** Whether, in addition, nothing is being read: a late response would affect what comes next. */
    isAtRest: () => unanswered === 0 && app.queryClient.isFetching() === 0,
    page: document.body,
    cache: app.queryClient,
    path: () => app.router.state.location.href,
    go: (to: string) => app.router.navigate({ href: to }),
    back: () => app.router.history.back(),
    close() {
      messages.stayMs = asPeopleReadMs;
      root.unmount();
      container.remove();
      stopFollowing();
      stopKeeping();
      toast.remove(); // its messages must not appear in the next one
      app.queryClient.clear();
    },
  };
}

/** Waits until the page shows `text`. */
export const see = (text: string | RegExp) =>
  vi.waitFor(() => {
    const said = wordsOf(document.body);
    if (typeof text === 'string' ? said.includes(text) : text.test(said)) return said;
    throw new Error(`the page does not say ${text}:\n${said}`);
  }, waiting);

/** Waits until the page no longer shows `text`. */
export const miss = (text: string) =>
  vi.waitFor(() => {
    if (wordsOf(document.body).includes(text)) throw new Error(`the page still says ${text}`);
  }, waiting);

/** Waits until `check` holds. */
export const until = (check: () => boolean) =>
  vi.waitFor(() => {
    if (!check()) throw new Error(`it never came to ${String(check)}`);
  }, waiting);

/** Waits for a button or link by its name and presses it. */
export async function press(name: string, within: ParentNode = document): Promise<void> {
  const found = await control(name, within);
  await until(() => found.getAttribute('aria-busy') !== 'true'); // its effects are in flight: there are no listeners yet
  found.click();
}

type Account = { email: string; password: string };

/** Fills the form of the login page. */
export async function logInAs({ email, password }: Account): Promise<void> {
  await fill('Email', email);
  await fill('Password', password);
  await press('Log in', document.querySelector('main form') ?? document);
}

export const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
export const registration = {
  fullName: 'Example Cook',
  email: 'cook@example.com',
  password: 'pepper and salt',
  confirmPassword: 'pepper and salt',
  ...address,
};

/** On the checkout. */
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

/** On the login page, to which the end of the session leads. @returns when `path` is shown again */
export async function logInAgain(tab: Tab, account: Account, path: string): Promise<void> {
  await until(() => tab.path().startsWith('/login'));
  await logInAs(account);
  await until(() => tab.path() === path);
}

export const control = (name: string, within: ParentNode = document) =>
  vi.waitFor(() => {
    const found = [...within.querySelectorAll<HTMLElement>('button, a, [role^=menuitem]')].find(
      (each) => nameOf(each) === name,
    );
    if (found) return found;
    throw new Error(`nothing on the page is called ${name}:\n${wordsOf(document.body)}`);
  }, waiting);

/** Waits for a field by its label and fills it in, as typing does. */
export async function fill(label: string, value: string, within: ParentNode = document): Promise<void> {
  const field = await fieldCalled(label, within);
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', value, field); // bypasses React, which watches the element's own setter
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
}

export const fieldCalled = (label: string, within: ParentNode = document) =>
  vi.waitFor(() => {
    const found = [...within.querySelectorAll('label')].find((each) => wordsOf(each) === label);
    const field = found?.control ?? (found && document.getElementById(found.htmlFor)) ?? found?.querySelector('input');
    if (field) return field as HTMLInputElement | HTMLSelectElement;
    throw new Error(`no field is called ${label}`);
  }, waiting);

/** Opens the search panel and types, as a keyboard does. @returns its field */
export async function search(text: string): Promise<HTMLInputElement> {
  const field = () => document.querySelector<HTMLInputElement>('[role=combobox]');
  await until(() => {
    // once the code that opens it has loaded
    if (!field())
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }));
    return field() !== null;
  });
  const input = field() as HTMLInputElement;
  Reflect.set(Object.getPrototypeOf(input) as object, 'value', text, input);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return input;
}

export const box = (label: string) => fieldCalled(label) as Promise<HTMLInputElement>;

/** Waits for the open dialog. */
export const dialog = () =>
  vi.waitFor(() => {
    const found = document.querySelector<HTMLElement>('[role=dialog], [role=alertdialog]');
    if (found) return found;
    throw new Error('no dialog is open');
  }, waiting);

/** The bulk action on the selected rows in a list of the back office. */
export const bulkBar = () => document.querySelector('[aria-label="Selected rows"]') ?? document;

/** Of a menu, which is outside the page's own elements. */
export const choose = (name: string) => press(name, document.body);

/** A failed read is retried for seven seconds before the page says so; a busy machine takes much longer. */
export const waiting = { timeout: 60_000, interval: 20 };

function nameOf(element: HTMLElement): string {
  const label = element.getAttribute('aria-label');
  if (label !== null || !element.querySelector('[aria-hidden=true]')) return label ?? wordsOf(element);
  const spoken = element.cloneNode(true) as HTMLElement;
  for (const hidden of spoken.querySelectorAll('[aria-hidden=true]')) hidden.remove();
  return wordsOf(spoken);
}

function wordsOf(element: Element): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function rememberLogin(as: Person | SignedIn, cookies: Map<string, string>): void {
  if ('user' in as) {
    session.set(as.user);
    for (const [name, { value }] of Object.entries(as.cookies)) cookies.set(name, value);
  } else {
    session.set({ id: as.userId, fullName: 'Example Customer', role: as.role });
    accessToken.set(as.token);
  }
}

const untilGivenUp = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** The test itself, in the same window, may call the card provider's control routes. */
export function allowCallsElsewhere(): void {
  const { happyDOM } = window as unknown as { happyDOM: { settings: { fetch: { disableSameOriginPolicy: boolean } } } };
  happyDOM.settings.fetch.disableSameOriginPolicy = true;
}

async function inject(shop: Answering, request: Request, cookies: Map<string, string>) {
  const payload = request.method === 'GET' ? Buffer.alloc(0) : Buffer.from(await request.arrayBuffer());
  const response = await shop.app.inject({
    method: request.method as 'GET',
    url: request.url.slice(new URL(request.url).origin.length),
    headers: {
      ...Object.fromEntries(request.headers),
      host: 'localhost:3000',
      origin: 'http://localhost:3000',
      'sec-fetch-site': 'same-origin',
      ...(cookies.size > 0 &&
        request.credentials !== 'omit' && {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
    },
    ...(payload.length > 0 && { payload }),
  });
  for (const { name, value } of response.cookies) {
    if (value) cookies.set(name, value);
    else cookies.delete(name);
  }
  const headers = ['content-type', 'dpop-nonce'].map((name) => [name, String(response.headers[name] ?? '')]);
  return { status: response.statusCode, body: response.body, headers: Object.fromEntries(headers) as HeadersInit };
}

/** Makes the device forget the catalog of any shop: test files share loaded modules, and so the device. */
export async function emptyCatalog(): Promise<void> {
  await Promise.all([db.products.clear(), db.categories.clear(), db.about.clear()]);
  clearCatalog();
}

/** Everything the browser stores of the shop, as text. */
export async function keptOnDevice(): Promise<string> {
  await kitchen.ready();
  const kept = [...db.tables, ...kitchen.tables];
  const tables = await Promise.all(kept.map(async (table) => [table.name, await table.toArray()]));
  const texts = [localStorage, sessionStorage].map((storage) => Object.fromEntries(Object.entries(storage)));
  return JSON.stringify([tables, ...texts]);
}
