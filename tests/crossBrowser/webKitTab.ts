/** WebKit as Debian has it (WebKitGTK's MiniBrowser), driven by W3C WebDriver on a screen in memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../support/freePort';
import {
  type Browser,
  type Key,
  type Less,
  named,
  patience,
  requireWritten,
  type Size,
  type Tab,
  type Target,
  until,
} from './tab';
import { DriverError, type ElementReference, newSession, type Session } from './webDriver';

interface Wish {
  /** The path of MiniBrowser. */
  program: string;
  baseURL: string;
  size: Size;
  lacking?: Less['lacking'];
  keepsNothing?: boolean;
}

/** WebDriver's names of the keys. */
const keys: Record<Key, string> = {
  Escape: '\uE00C',
  Enter: '\uE007',
  Tab: '\uE004',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

/** WebKit's own names of what can be turned off; it has no connection info anyway. */
const features = { locks: ['WebLocksAPI'], storage: ['StorageAPI'], connection: [], cookies: ['Cookie'] };

export async function openWebKit({ program, baseURL, size, lacking = [], keepsNothing }: Wish): Promise<Browser> {
  const without = [...lacking, ...(keepsNothing ? (['cookies'] as const) : [])];
  const off = without.flatMap((what) => features[what].map((name) => `-${name}`));
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-webkit-'));
  const { screen, display } = await openScreen();
  const port = await findFreePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, HOME: folder, XDG_RUNTIME_DIR: folder, LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the driver of WebKit', async () => (await fetch(`${url}/status`)).ok);
  const session = await newSession(url, {
    browserName: 'MiniBrowser',
    acceptInsecureCerts: true,
    'webkitgtk:browserOptions': { binary: program, args: ['--automation', `--features=${off.join()}`] },
  });
  await session.setPageLoadLimit(patience);
  await session.setSize(size);
  const { tab, heard } = tabsOf(session, await session.handle(), baseURL);
  return {
    tab,
    complaints: heard,
    async close() {
      await session.end().catch(() => undefined);
      await ended(driver);
      await ended(screen);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const said = screen.stdio[3] as NodeJS.ReadableStream;
  const [line] = (await once(createInterface(said), 'line')) as [string];
  return { screen, display: `:${line}` };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill();
  await end;
}

/** @returns the first tab, and the complaints of all of them since the last call */
function tabsOf(session: Session, first: string, baseURL: string): { tab: Tab; heard: () => Promise<string[]> } {
  const tabs = new Set<string>();
  const kept: string[] = [];
  const hear = async (handle: string) => {
    await session.switchTo(handle);
    kept.push(...((await session.run(takeHeard)) as string[]));
  };
  const tab = tabOf(session, first, baseURL, tabs, hear);
  return {
    tab,
    async heard() {
      for (const handle of tabs) await hear(handle);
      return kept.splice(0);
    },
  };
}

/**
 * Commands go to one tab at a time.
 * @param tabs gets its handle, as long as it is open
 * @param hear collects the complaints of its pages
 */
function tabOf(
  session: Session,
  handle: string,
  baseURL: string,
  tabs: Set<string>,
  hear: (handle: string) => Promise<void>,
): Tab {
  tabs.add(handle);
  const here = async () => {
    await session.switchTo(handle);
    return session;
  };
  const listening = async (work: Promise<unknown>) => {
    await work;
    await session.run(listen);
  };
  const findAll = async (target: Target, isForUse = false) => {
    const { run } = await here();
    await run(listen);
    if (await run(`arguments[0](!('TestingLibraryDom' in window))`)) await run(await finder());
    return (await run(search, [plain(target), isForUse])) as ElementReference[];
  };
  /** Retries while the page is still moving. */
  const withFound = (target: Target, what: string, work: (element: ElementReference) => Promise<unknown>) =>
    until(`${what} ${named(target)}`, async () => {
      const [element] = await findAll(target, true);
      if (!element) return false;
      await work(element);
      return true;
    });
  const field = (label: string): Target => ({ label });
  const tab: Tab = {
    open: async (address) => listening((await here()).open(new URL(address, baseURL).href)),
    reload: async () => listening((await here()).reload()),
    back: async () => listening((await here()).back()),
    address: async () => (await here()).address(),
    press: (target) => withFound(target, 'to press', (element) => session.run(press, [element])),
    drag: (from, to) =>
      withFound(from, 'to drag', async (element) => {
        const [onto] = await findAll(to);
        const [start, end] = (await session.run(middlesOf, [element, onto])) as [Point, Point];
        const along = [0, 1, 2, 3, 4, 5].map((step) => ({
          x: start.x + ((end.x - start.x) * step) / 5,
          y: start.y + ((end.y - start.y) * step) / 5,
        }));
        await session.drag(along);
      }),
    write: (label, text) =>
      withFound(field(label), 'to write into', async (element) => {
        await session.clear(element);
        await session.type(element, text);
        requireWritten(label, text, String(await session.run(valueOf, [element])));
      }),
    choose: (label, option) =>
      withFound(field(label), `to choose ${option} in`, async (element) => {
        const chosen = await session.run(choose, [element, option]);
        if (!chosen) throw new DriverError('no such element', option);
      }),
    give: (label, file) =>
      withFound({ label, isHidden: true } as Target, 'to give a file to', (element) =>
        session.type(element, path.resolve(file)),
      ),
    key: async (name) => void (await (await here()).key(keys[name])),
    sees: (target, limit) => until(`to see ${named(target)}`, async () => (await findAll(target)).length > 0, limit),
    misses: (target) => until(`to miss ${named(target)}`, async () => (await findAll(target)).length === 0),
    run: async (work, input) => {
      const { run } = await here();
      const answer = (await run(
        `const done = arguments[1];
         Promise.resolve(arguments[0]).then(${String(work)}).then((value) => done({ value }), (error) => done({ error: String(error) }));`,
        [input],
      )) as { value: never; error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    },
    endWorkers: () => Promise.resolve(),
    newTab: async () => {
      await here();
      return tabOf(session, await session.newTab(), baseURL, tabs, hear);
    },
    close: async () => {
      await hear(handle);
      tabs.delete(handle);
      await session.closeTab();
    },
    picture: async () => (await here()).picture(),
  };
  return tab;
}

/**
 * Under a driver WebKit reports no console messages, so the harness listens in each page, from its load on: the app
 * starts later. The messages outlive the page in its tab.
 */
const listen = `
  const done = arguments[arguments.length - 1];
  if (!('walkListens' in window)) {
    window.walkListens = true;
    const keep = (text) =>
      sessionStorage.setItem('walk', JSON.stringify([...JSON.parse(sessionStorage.getItem('walk') ?? '[]'), text]));
    for (const level of ['error', 'warn']) {
      const say = console[level];
      console[level] = (...said) => {
        keep(said.map(String).join(' '));
        say.apply(console, said);
      };
    }
    addEventListener('error', ({ message }) => keep(message));
    addEventListener('unhandledrejection', ({ reason }) => keep(String(reason)));
    document.addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
      keep('the policy of ' + violatedDirective + ' refuses ' + blockedURI),
    );
  }
  done();`;
const takeHeard = `
  const [done] = arguments;
  const heard = sessionStorage.getItem('walk') ?? '[]';
  sessionStorage.removeItem('walk');
  done(JSON.parse(heard));`;

let library: Promise<string> | undefined;
const finder = () =>
  (library ??= readFile('node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js', 'utf8').then(
    (source) => `${source}\n;arguments[0]();`,
  ));

/** JSON cannot carry patterns. */
function plain(target: Target): object {
  const entries = Object.entries(target).map(([key, value]) => {
    if (value instanceof RegExp) return [key, { source: value.source, flags: value.flags }];
    return [key, key === 'within' ? plain(value as Target) : value];
  });
  return Object.fromEntries(entries) as object;
}

const search = `
  const { within } = window.TestingLibraryDom;
  const pattern = (wanted) => (typeof wanted === 'string' ? wanted : new RegExp(wanted.source, wanted.flags));
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const all = (target) => {
    const places = target.within ? all(target.within) : [document.body];
    return places.flatMap((place) => {
      const found = within(place);
      if ('role' in target) return found.queryAllByRole(target.role, { name: pattern(target.name) });
      if ('label' in target) return found.queryAllByLabelText(target.label);
      const wanted = pattern(target.text);
      const has = (content) => (typeof wanted === 'string' ? content.toLowerCase().includes(wanted.toLowerCase()) : wanted.test(content));
      return found.queryAllByText(has, { ignore: 'script, style, title' });
    }).filter((element) => target.isHidden || isVisible(element));
  };
  const [target, isForUse, done] = arguments;
  const found = all(target);
  const [first] = found;
  if (!first || !isForUse) return done(found);
  // as people do; WebDriver itself would stop where the tab bar lies over the element
  first.scrollIntoView({ block: 'center', behavior: 'instant' });
  const placeOf = ({ x, y }) => x + ' ' + y;
  const before = placeOf(first.getBoundingClientRect());
  setTimeout(() => done(placeOf(first.getBoundingClientRect()) === before ? found : []), 150); // it may still move`;

/**
 * Presses only the topmost element. WebDriver's own click goes to the element's earlier position: a notice that appears
 * meanwhile puts another one there.
 */
const press = `
  const [element, done] = arguments;
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  if (!element.contains(top) && !top?.closest('label')?.contains(element)) throw new Error('something lies over it');
  if (element.matches(':disabled, [aria-disabled=true]')) throw new Error('it is disabled');
  element.focus();
  done(); // before it may lead away from the page, which then answers no more
  element.click();`;

type Point = { x: number; y: number };
const middlesOf = `
  const done = arguments[arguments.length - 1];
  const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
  done([arguments[0], arguments[1]].map((element) => middleOf(element.getBoundingClientRect())));`;

const valueOf = `
  const [field, done] = arguments;
  done(field.value);`;

/** As a user does it: the select fires a change event. */
const choose = `
  const [select, wanted, done] = arguments;
  const option = [...select.options].find(({ label }) => label === wanted);
  if (option) {
    select.value = option.value;
    for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
  }
  done(Boolean(option));`;
