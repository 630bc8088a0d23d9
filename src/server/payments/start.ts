import path from 'node:path';
import { readOrCreateKeys } from '../../sandbox/keys';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox';
import { shopName } from '../../shared/brand';
import { ConfigError, isLoopback, type Config } from '../core/config';
import { openPayments, type Payments } from './provider';

export type StartedPayments = {
  payments: Payments;
  /** The shop listens now: the test provider in this process begins to send its events. */
  listens: () => void;
  stop: () => Promise<void>;
};

const elsewhere = { listens: () => undefined, stop: async () => undefined };

/**
 * The payment provider as configured; the test provider is started in this process unless SANDBOX_URL names one.
 * @param now the shop's clock, which the one in this process shares: between two clocks no session would be of an age
 *   that both take
 */
export async function startPayments(config: Config, now: () => Date): Promise<StartedPayments> {
  const { publicUrl, payments: asked } = config;
  if (asked.provider === 'stripe') return { payments: openPayments({ ...asked, publicUrl }), ...elsewhere };

  const folder = path.join(config.dataDir, 'sandbox');
  const keys = asked.keys ?? (await readOrCreateKeys(folder));
  if (asked.url !== undefined)
    return { payments: openPayments({ ...keys, apiUrl: new URL(asked.url), publicUrl }), ...elsewhere };
  const hosts = config.host === 'localhost' ? ['127.0.0.1', '::1'] : [config.host];
  const sandbox = await startTestProvider({
    ...keys,
    port: asked.port,
    hosts,
    folder,
    webhookUrl: `http://${reachable(config.host)}:${config.port}/api/payments/webhook`,
    publicUrl: testProviderUrl(publicUrl, asked.port),
    shopName,
    now,
    holdsDeliveries: true,
    ...(asked.controlToken !== undefined && { controls: { token: asked.controlToken } }),
  });
  const apiUrl = new URL(`http://${reachable(config.host)}:${sandbox.port}`);
  return {
    payments: openPayments({ ...keys, apiUrl, publicUrl }),
    listens: sandbox.startDeliveries,
    stop: sandbox.close,
  };
}

/** What keeps it from starting is told with the variable that can change it. */
async function startTestProvider(options: SandboxOptions): Promise<Sandbox> {
  return startSandbox(options).catch((error: unknown) => {
    const { message, code } = error as NodeJS.ErrnoException;
    const isPort = code === 'EADDRINUSE' || /port/i.test(message);
    throw new ConfigError(isPort ? `SANDBOX_PORT: ${message}` : message);
  });
}

/**
 * Where browsers find the test provider: another site than the shop's, so that cookies behave as with a real provider. It
 * speaks no TLS itself, also where a proxy on this machine speaks it for the shop.
 * Rule: docs/rules/orders-and-payment.md, The test provider
 */
export function testProviderUrl({ protocol, hostname }: URL, port: number): string {
  if (!isLoopback(hostname)) return `${protocol}//${hostname}:${port}`;
  return `http://${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`;
}

/** Where this process reaches what listens on `host`. */
function reachable(host: string): string {
  if (['localhost', '0.0.0.0', '::'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
