/**
 * The processes of one shop, on one database and one DATA_DIR, which are killed and started again. A single one listens
 * itself; several are behind one port, and each kill is of the next in turn.
 */
import { openFront } from './front';
import { end, findFreePort, startNode, untilReady, type Child } from './processes';

type Place = { port: number; child?: Child };

/** @param output what becomes of their logs */
export async function createShopProcesses(count: number, output: 'pipe' | 'ignore') {
  const places: Place[] = [];
  while (places.length < count) places.push({ port: await findFreePort() });
  const front = count > 1 ? await openFront(places.map(({ port }) => port)) : undefined;
  const leaked = new Set<string>();
  let env: Record<string, string> = {};
  let turn = 0;

  const urlOf = ({ port }: Place) => `http://127.0.0.1:${port}`;
  const launch = (place: Place) => {
    noteLeaked(place);
    place.child = startNode(['dist/server/main.js'], { ...env, PORT: String(place.port) }, output);
  };
  const noteLeaked = ({ child }: Place) => {
    for (const each of child?.leaked() ?? []) leaked.add(each);
  };
  const lastWords = ({ child }: Place) => child?.said().split('\n').slice(-12).join('\n').slice(-1_500) ?? '';
  const requireRunning = (place: Place): Child => {
    if (!place.child?.isRunning()) throw new Error(`the shop ended by itself: ${lastWords(place)}`);
    return place.child;
  };
  const untilAllReady = async () => {
    const times = places.map((place) => untilReady(requireRunning(place), urlOf(place)));
    return Math.max(...(await Promise.all(times)));
  };

  return {
    /** Where all of them are reached. */
    url: front?.url ?? places.map(urlOf).join(),
    /** Starts them all at once. */
    async start(settings: Record<string, string>) {
      env = settings;
      places.forEach(launch);
      await untilAllReady();
    },
    /** @throws Error when one of them ended by itself */
    requireRunning: () => places.map(requireRunning),
    /** @throws Error when one of them ended by itself */
    next(): Child {
      const running = places.map(requireRunning);
      return running[turn++ % running.length] as Child;
    },
    /** Starts whoever does not run. @returns after how many milliseconds all can do their work */
    async restart(): Promise<number> {
      for (const place of places) if (!place.child?.isRunning()) launch(place);
      return untilAllReady();
    },
    /** @returns after how many milliseconds all can do their work, without a start */
    untilAllReady,
    /** All of them, with -9. */
    async kill() {
      await Promise.all(places.map(async ({ child }) => child && end(child, 'SIGKILL')));
    },
    lastWords: () => places.map(lastWords).join('\n'),
    /** Of every process so far. */
    leaked: () => {
      places.forEach(noteLeaked);
      return [...leaked];
    },
    close: async () => front?.close(),
  };
}
