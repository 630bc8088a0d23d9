/**
 * What other processes of the shop tell this one (LISTEN/NOTIFY). A message can be missed only while the connection is
 * down, so listeners are told when that is over and forget what they kept; until then `connected` is false and nothing
 * kept in memory may be trusted.
 */
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
  let client: Client | undefined;
  let connected = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new Client({ ...config, connectionTimeoutMillis: 5_000, keepAlive: true });
    const lost = () => {
      if (client !== next) return;
      client = undefined;
      connected = false;
      if (!closed) retry = setTimeout(reconnect, retryAfterMs);
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ channel, payload = '' }) => {
      for (const heard of heardOn.get(channel) ?? []) heard(payload);
    });
    client = next;
    await next.connect();
    for (const channel of channels) await next.query(`listen ${escapeIdentifier(channel)}`);
    for (const step of steps) await step();
    connected = true;
  };
  const reconnect = () => {
    connect().catch(() => {
      void client?.end().catch(() => undefined); // half open: it could not listen
      client = undefined;
      if (!closed) retry = setTimeout(reconnect, retryAfterMs);
    });
  };

  await connect();
  return {
    get connected() {
      return connected;
    },
    on: (channel, heard) => void heardOn.set(channel, [...(heardOn.get(channel) ?? []), heard]),
    onConnected: (step) => void steps.push(step),
    async close() {
      closed = true;
      connected = false;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
