/** WebKit as Debian has it (WebKitGTK's MiniBrowser), driven by W3C WebDriver on a screen in memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../e2e/shop';
import { type Browser, named, patience, type Size, type Tab, type Target, until } from './tab';
import { DriverError, type ElementReference, newSession, type Session } from './webDriver';

interface Wish {
  /** The path of MiniBrowser. */
  program: string;
  baseURL: string;
  size: Size;
}

export async function openWebKit({ program, baseURL, size }: Wish): Promise<Browser> {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-webkit-'));
  const log = path.join(folder, 'console.log');
  const binary = path.join(folder, 'browser.sh'); // the console of pages is told to nobody but its standard output
  await writeFile(
    binary,
    `#!/bin/sh\nexec '${program}' --enable-write-console-messages-to-stdout=true "$@" >>'${log}' 2>/dev/null\n`,
  );
  await chmod(binary, 0o755);
  const { screen, display } = await openScreen();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, HOME: folder, XDG_RUNTIME_DIR: folder, LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the driver of WebKit', async () => (await fetch(`${url}/status`)).ok);
  const session = await newSession(url, {
    browserName: 'MiniBrowser',
    acceptInsecureCerts: true,
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  });
  await session.setPageLoadLimit(patience);
  await session.setSize(size);
  let read = 0;
  return {
    tab: tabOf(session, await session.handle(), baseURL),
    async complaints() {
      const written = await readFile(log, 'utf8').catch(() => '');
      const lines = written.slice(read).split('\n');
      read = written.length;
      return lines.filter((line) => /^CONSOLE .*(?:ERROR|WARN)/.test(line));
    },
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

/** Commands go to one tab at a time. */
function tabOf(session: Session, handle: string, baseURL: string): Tab {
  const here = async () => {
    await session.switchTo(handle);
    return session;
  };
  const findAll = async (target: Target, isForUse = false) => {
    const { run } = await here();
    if (await run(`arguments[0](!('TestingLibraryDom' in window))`)) await run(await finder());
    return (await run(search, [plain(target), isForUse])) as ElementReference[];
  };
  /** Tries anew while the page is still moving. */
  const withFound = (target: Target, what: string, work: (element: ElementReference) => Promise<unknown>) =>
    until(`${what} ${named(target)}`, async () => {
      const [element] = await findAll(target, true);
      if (!element) return false;
      await work(element);
      return true;
    });
  const field = (label: string): Target => ({ label });
  const keys = { Escape: '\uE00C', Enter: '\uE007', Tab: '\uE004' };
  const tab: Tab = {
    open: async (address) => void (await (await here()).open(new URL(address, baseURL).href)),
    reload: async () => void (await (await here()).reload()),
    back: async () => void (await (await here()).back()),
    address: async () => (await here()).address(),
    press: (target) => withFound(target, 'to press', (element) => session.run(press, [element])),
    write: (label, text) =>
      withFound(field(label), 'to write into', async (element) => {
        await session.clear(element);
        await session.type(element, text);
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
    newTab: async () => {
      await here();
      return tabOf(session, await session.newTab(), baseURL);
    },
    close: async () => void (await (await here()).closeTab()),
    picture: async () => (await here()).picture(),
  };
  return tab;
}

let library: Promise<string> | undefined;
const finder = () =>
  (library ??= readFile('node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js', 'utf8').then(
    (source) => `${source}\n;arguments[0]();`,
  ));

/** Patterns do not pass through JSON. */
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
 * Only what lies on top is pressed. WebDriver's own click goes to the place where the element was when it looked: a banner
 * that comes meanwhile puts another one there.
 */
const press = `
  const [element, done] = arguments;
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  if (!element.contains(top) && !top?.closest('label')?.contains(element)) throw new Error('something lies over it');
  if (element.matches(':disabled')) throw new Error('it is disabled');
  element.focus();
  element.click();
  done();`;

/** As a person does it: the list says that it was changed. */
const choose = `
  const [select, wanted, done] = arguments;
  const option = [...select.options].find(({ label }) => label === wanted);
  if (option) {
    select.value = option.value;
    for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
  }
  done(Boolean(option));`;
