/**
 * The processes of one shop, on one database and one DATA_DIR, which are killed and started again. A single process
 * listens itself; several are behind one port, and are killed in turn.
 */
import { openFront } from './front';
import { end, startNode, untilReady, type Child } from './processes';
import { findFreePort } from '../support/freePort';

type Slot = { port: number; child?: Child };

/**
 * @param output 'ignore' drops their logs
 * @param program replaces the built shop
 */
export async function createShopProcesses(count: number, output: 'pipe' | 'ignore', program = 'dist/server/main.js') {
  const slots: Slot[] = [];
  while (slots.length < count) slots.push({ port: await findFreePort() });
  const front = count > 1 ? await openFront(slots.map(({ port }) => port)) : undefined;
  const leaked = new Set<string>();
  let env: Record<string, string> = {};
  let turn = 0;

  const urlOf = ({ port }: Slot) => `http://127.0.0.1:${port}`;
  const launch = (slot: Slot) => {
    noteLeaked(slot);
    slot.child = startNode([program], { ...env, PORT: String(slot.port) }, output);
  };
  const noteLeaked = ({ child }: Slot) => {
    for (const each of child?.leaked() ?? []) leaked.add(each);
  };
  const lastWords = ({ child }: Slot) => child?.said().split('\n').slice(-12).join('\n').slice(-1_500) ?? '';
  const requireRunning = (slot: Slot): Child => {
    if (!slot.child?.isRunning()) throw new Error(`the shop ended by itself: ${lastWords(slot)}`);
    return slot.child;
  };
  const untilAllReady = async () => {
    const times = slots.map((slot) => untilReady(requireRunning(slot), urlOf(slot)));
    return Math.max(...(await Promise.all(times)));
  };

  return {
    /** The URL of the shop. */
    url: front?.url ?? slots.map(urlOf).join(),
    /** Starts them all in parallel. */
    async start(settings: Record<string, string>) {
      env = settings;
      slots.forEach(launch);
      await untilAllReady();
    },
    /** @throws Error when one of them ended by itself */
    requireRunning: () => slots.map(requireRunning),
    /** @throws Error when one of them ended by itself */
    next(): Child {
      const running = slots.map(requireRunning);
      return running[turn++ % running.length] as Child;
    },
    /** Starts the processes that do not run. @returns after how many milliseconds all are ready */
    async restart(): Promise<number> {
      for (const slot of slots) if (!slot.child?.isRunning()) launch(slot);
      return untilAllReady();
    },
    /** Starts nothing. @returns after how many milliseconds all are ready */
    untilAllReady,
    /** Kills all of them. */
    async kill() {
      await Promise.all(slots.map(async ({ child }) => child && end(child, 'SIGKILL')));
    },
    lastWords: () => slots.map(lastWords).join('\n'),
    /** Secrets in the logs of every process so far. */
    leaked: () => {
      slots.forEach(noteLeaked);
      return [...leaked];
    },
    close: async () => front?.close(),
  };
}
