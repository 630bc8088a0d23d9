/**
 * The test provider: it implements the part of Stripe's API that a shop with a hosted payment page needs, so the `stripe`
 * package works with it by setting `host`, `port` and `protocol`. No money moves. It knows nothing about the shop, keeps
 * its own records (store.ts), and sends no response before its changes are on disk.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { respondUnknown, createApi } from './api';
import { createClock } from './clock';
import { createControls } from './controls';
import { setSafetyHeaders } from './exchange';
import { Faults } from './faults';
import { createHostedPage } from './hostedPage';
import { IdempotencyKeys } from './idempotency';
import { requireTestKey } from './keys';
import { listen } from './listen';
import type { Provider } from './provider';
import { expireOverdueSessions } from './sessions';
import { Store } from './store';
import { Webhooks } from './webhooks';

export type SandboxOptions = {
  /** 0 lets the system choose. */
  port: number;
  /** IP addresses to listen on, e.g. `['127.0.0.1', '::1']`; a missing IPv6 address is not an error. */
  hosts: string[];
  /** Where the journal is stored; one sandbox per folder. */
  folder: string;
  secretKey: string;
  /** Two secrets separated by a comma during a rotation, new one first: events are then signed with both. */
  webhookSecret: string;
  /** The URL that events are posted to; undefined: they are not sent. */
  webhookUrl: string | undefined;
  /** Base of the payment pages' URLs; default: http://127.0.0.1:port. */
  publicUrl?: string;
  shopName: string;
  /** Sends nothing to `webhookUrl` before `startDeliveries` is called, since the shop does not listen yet. */
  holdsDeliveries?: boolean;
  /** The routes under /_sandbox exist only with this token. */
  controls?: { token: string };
  now?: () => Date;
};

export type Sandbox = {
  port: number;
  /** The API's URL, http://127.0.0.1:port. */
  url: string;
  setWebhookUrl: (url: string) => void;
  /** Shows this name and logo on the payment pages from now on. */
  showShop: (shop: Pick<Provider, 'shopName' | 'logo'>) => void;
  startDeliveries: () => void;
  close: () => Promise<void>;
};

type RequestHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

const tickMs = 250;

/**
 * Starts the provider with the records of its folder.
 * @throws Error in one sentence for a live key, a folder in use, a damaged journal or a port in use
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  requireTestKey(options.secretKey);
  const store = await Store.open(options.folder);
  try {
    return await serve(store, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serve(store: Store, options: SandboxOptions): Promise<Sandbox> {
  const clock = createClock(store, options.now ?? (() => new Date()));
  const provider: Provider = {
    store,
    clock,
    publicUrl: '',
    shopName: options.shopName,
    hasWebhook: () => !!webhooks.url,
  };
  const webhooks: Webhooks = new Webhooks(
    provider,
    options.webhookSecret,
    options.webhookUrl,
    !options.holdsDeliveries,
  );
  const keys = new IdempotencyKeys(store, clock);
  const faults = new Faults();
  const settle = async () => {
    await store.synced();
    webhooks.sendDue();
  };

  const parts = { provider, webhooks, keys, faults, settle };
  const handlers: [prefix: string, answerer: RequestHandler][] = [
    ['/v1/', createApi({ ...parts, secretKey: options.secretKey })],
    ['/c/pay/', createHostedPage(parts)],
  ];
  if (options.controls) handlers.push(['/_sandbox/', createControls({ ...parts, token: options.controls.token })]);

  const server = await listen(
    (request, response) => void handle(handlers, request, response, provider.publicUrl),
    options.hosts,
    options.port,
  );
  const url = `http://127.0.0.1:${server.port}`;
  provider.publicUrl = new URL(options.publicUrl ?? url).origin;
  const stopTicking = tick(() => {
    expireOverdueSessions(provider);
    keys.prune();
    return settle();
  });

  return {
    port: server.port,
    url,
    setWebhookUrl(webhookUrl) {
      webhooks.url = webhookUrl;
      webhooks.sendDue();
    },
    showShop: ({ shopName, logo }) => void Object.assign(provider, { shopName, logo }),
    startDeliveries: () => webhooks.start(),
    async close() {
      stopTicking();
      faults.release();
      await webhooks.close();
      await server.close();
      await store.close();
    },
  };
}

async function handle(
  handlers: [prefix: string, answerer: RequestHandler][],
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string,
): Promise<void> {
  setSafetyHeaders(response, publicUrl);
  try {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const handler = handlers.find(([prefix]) => url.pathname.startsWith(prefix))?.[1];
    await (handler ?? respondUnknown)(request, response, url);
  } catch (error) {
    if (request.destroyed && !request.complete) return; // the client closed the connection while sending
    process.stderr.write(`test payment provider: ${error instanceof Error ? error.stack : String(error)}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

/**
 * Runs timed work four times a second, without keeping the process alive. Failed work (the disk may be full) is retried on
 * the next tick; the same error is reported once.
 */
function tick(work: () => Promise<void>): () => void {
  let reported = '';
  const tickOnce = async () => {
    try {
      await work();
      reported = '';
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      if (cause !== reported) process.stderr.write(`test payment provider: ${cause}\n`);
      reported = cause;
    }
  };
  const timer = setInterval(() => void tickOnce(), tickMs).unref();
  return () => clearInterval(timer);
}
