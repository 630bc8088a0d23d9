/**
 * What other processes of the shop tell this one (LISTEN/NOTIFY). A message can be missed only while the connection is
 * down, so listeners are told when that is over and forget what they kept; until then `connected` is false and nothing
 * kept in memory may be trusted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeIdentifier, type ClientConfig } from 'pg';

export type Notices = {
  readonly connected: boolean;
  on: (channel: string, heard: (message: string) => void) => void;
  /** Called after each (re)connection, before its first message. */
  onConnected: (step: () => Promise<void> | void) => void;
  close: () => Promise<void>;
};

const retryAfterMs = 250;

/** @param channels all channels that will ever be listened to (names of ours, never input) */
export async function openNotices(config: ClientConfig, channels: readonly string[]): Promise<Notices> {
  const heardOn = new Map<string, ((message: string) => void)[]>();
  const steps: (() => Promise<void> | void)[] = [];
  let connected = false;
  const closing = new AbortController();

  /** @returns once listening; `lost` resolves when that is over */
  const listen = async (): Promise<{ client: Client; lost: Promise<void> }> => {
    const client = new Client({ ...config, connectionTimeoutMillis: 5_000, keepAlive: true });
    let isLost = false;
    const lost = new Promise<void>((resolve) => {
      const end = () => {
        isLost = true;
        connected = false;
        resolve();
      };
      client.on('error', end).on('end', end);
    });
    client.on('notification', ({ channel, payload = '' }) => {
      for (const heard of heardOn.get(channel) ?? []) heard(payload);
    });
    try {
      await client.connect();
      for (const channel of channels) await client.query(`listen ${escapeIdentifier(channel)}`);
      for (const step of steps) await step();
    } catch (error) {
      void client.end().catch(() => undefined); // half open: it could not listen
      throw error;
    }
    connected = !isLost;
    return { client, lost };
  };

  let listening = await listen();
  const kept = keepListening();
  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await listening.lost;
      for (let again = false; !again && !closing.signal.aborted;) {
        await pause(retryAfterMs, undefined, { signal: closing.signal }).catch(() => undefined);
        again = await listen().then(
          (next) => Boolean((listening = next)),
          () => false,
        );
      }
    }
  }

  return {
    get connected() {
      return connected;
    },
    on: (channel, heard) => void heardOn.set(channel, [...(heardOn.get(channel) ?? []), heard]),
    onConnected: (step) => void steps.push(step),
    async close() {
      closing.abort();
      await listening.client.end();
      await kept;
    },
  };
}
