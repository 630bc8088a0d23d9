/**
 * The change bus. Caches of database values listen on it. They get a change of this process right after its commit
 * (changes.ts), and one of another process by LISTEN/NOTIFY. A process may get its own change again from the database,
 * which only drops a cached value once more. Messages can only be missed while the connection is down: until it is back,
 * `connected` is false and nothing cached in memory may be used; then listeners are notified and drop their caches.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeIdentifier, type ClientConfig } from 'pg';

/** The channels on which the database notifies all processes. */
const databaseChannels = ['catalog', 'low_stock', 'session_ended', 'live', 'settings'] as const;

/** `own` stays within a process: http/live/live.ts forwards it to the others in batches. */
export type Channel = (typeof databaseChannels)[number] | 'own';
export type Tell = (channel: Channel, message: string) => void;

export type ChangeBus = {
  readonly connected: boolean;
  on: (channel: Channel, heard: (message: string) => void) => void;
  /** Notifies the listeners of this process. */
  tell: Tell;
  /** Called after each (re)connection, before its first message. */
  onConnected: (step: () => Promise<void> | void) => void;
  close: () => Promise<void>;
};

const retryAfterMs = 250;

/** @param config of a connection that supports sessions */
export async function openChangeBus(config: ClientConfig): Promise<ChangeBus> {
  const listeners = new Map<string, ((message: string) => void)[]>();
  const steps: (() => Promise<void> | void)[] = [];
  const tell = (channel: string, message: string) => listeners.get(channel)?.forEach((heard) => heard(message));
  const begin = async () => {
    for (const step of steps) await step();
  };
  const listen = () => listenOnce(config, tell, begin);

  const closing = new AbortController();
  let line = await listen();
  const kept = keepListening();
  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await line.lost;
      for (let again = false; !again && !closing.signal.aborted;) {
        await pause(retryAfterMs, undefined, { signal: closing.signal }).catch(() => undefined);
        again = await listen().then(
          (next) => Boolean((line = next)),
          () => false,
        );
      }
    }
  }

  return {
    get connected() {
      return line.isOpen();
    },
    on: (channel, heard) => void listeners.set(channel, [...(listeners.get(channel) ?? []), heard]),
    tell,
    onConnected: (step) => void steps.push(step),
    async close() {
      closing.abort();
      await line.client.end();
      await kept;
    },
  };
}

type Line = { client: Client; isOpen: () => boolean; lost: Promise<void> };

/**
 * @param begin awaited once the connection is listening, before it counts as open
 * @returns once listening; `lost` resolves when the connection ends
 */
async function listenOnce(
  config: ClientConfig,
  tell: (channel: string, message: string) => void,
  begin: () => Promise<void>,
): Promise<Line> {
  const client = new Client({ ...config, connectionTimeoutMillis: 5_000, keepAlive: true });
  let isLost = false;
  const lost = new Promise<void>((resolve) => {
    const end = () => {
      isLost = true;
      resolve();
    };
    client.on('error', end).on('end', end);
  });
  client.on('notification', ({ channel, payload = '' }) => tell(channel, payload));
  try {
    await client.connect();
    for (const channel of databaseChannels) await client.query(`listen ${escapeIdentifier(channel)}`);
    await begin();
  } catch (error) {
    void client.end().catch(() => undefined); // connected, but could not listen
    throw error;
  }
  return { client, isOpen: () => !isLost, lost };
}
