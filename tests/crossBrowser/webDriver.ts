/** The part of W3C WebDriver (https://www.w3.org/TR/webdriver2/) that the flows need. */

import { patience } from './tab';

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
/** A reference to an element of the page, as scripts take and return it. */
export type ElementReference = { [elementKey]: string };
export type Session = ReturnType<typeof sessionOf>;

export class DriverError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** @param driver the driver's URL @throws DriverError when no browser is available */
export async function newSession(driver: string, capabilities: object): Promise<Session> {
  const made = (await send(driver, 'POST', '/session', { capabilities: { alwaysMatch: capabilities } })) as {
    sessionId: string;
  };
  return sessionOf(`${driver}/session/${made.sessionId}`);
}

/** In ms: a page that runs no script in that time, such as one being left, is asked again. */
const answersWithin = 20_000;

function sessionOf(base: string) {
  let current: string | undefined;
  const post = (command: string, body: object = {}) => send(base, 'POST', command, body);
  const get = (command: string) => send(base, 'GET', command);
  const ofElement = (element: ElementReference, command: string) => `/element/${element[elementKey]}/${command}`;
  return {
    open: (url: string) => post('/url', { url }),
    reload: () => post('/refresh'),
    back: () => post('/back'),
    address: async () => String(await get('/url')),
    setSize: (size: object) => post('/window/rect', size),
    setPageLoadLimit: (pageLoad: number) => post('/timeouts', { pageLoad, script: answersWithin }),
    run: (script: string, args: unknown[] = []) => post('/execute/async', { script, args }),
    clear: (element: ElementReference) => post(ofElement(element, 'clear')),
    type: (element: ElementReference, text: string) => post(ofElement(element, 'value'), { text }),
    key: (value: string) =>
      post('/actions', {
        actions: [
          {
            type: 'key',
            id: 'keyboard',
            actions: [
              { type: 'keyDown', value },
              { type: 'keyUp', value },
            ],
          },
        ],
      }),
    /** @param path the pointer is pressed at its first point, and let go at its last one */
    drag(path: readonly { x: number; y: number }[]) {
      const [first, ...others] = path.map(({ x, y }) => ({
        type: 'pointerMove',
        duration: 20,
        origin: 'viewport',
        x: Math.round(x),
        y: Math.round(y),
      }));
      const [down, up] = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
      const actions = [first, down, ...others, up];
      return post('/actions', {
        actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
      });
    },
    handle: async () => String(await get('/window')),
    newTab: async () => ((await post('/window/new', { type: 'tab' })) as { handle: string }).handle,
    async switchTo(handle: string): Promise<void> {
      if (handle === current) return;
      current = undefined; // as long as it may not be done
      await post('/window', { handle });
      current = handle;
    },
    closeTab: () => {
      current = undefined;
      return send(base, 'DELETE', '/window');
    },
    picture: async () => Buffer.from(String(await get('/screenshot')), 'base64'),
    end: () => send(base, 'DELETE', ''),
  };
}

async function send(base: string, method: string, command: string, body?: object): Promise<unknown> {
  const answer = await fetch(base + command, {
    method,
    signal: AbortSignal.timeout(2 * patience),
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const { value } = (await answer.json()) as { value: unknown };
  if (answer.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new DriverError(error, `${message} (${method} ${command})`);
}
