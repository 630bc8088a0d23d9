import path from 'node:path';
import { readOrCreateKeys } from '../../sandbox/keys';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox';
import { shopName } from '../../shared/brand';
import { ConfigError, isLoopback, type Config } from '../core/config';
import { openPayments, type Payments } from './provider';

export type StartedPayments = {
  payments: Payments;
  /** Call once the shop listens: the test provider in this process then starts sending its events. */
  listens: () => void;
  /** Shows the shop's name and logo on the test provider's pages, if it runs in this process. */
  showShop: Sandbox['showShop'];
  stop: () => Promise<void>;
};

const external = { listens: () => undefined, showShop: () => undefined, stop: async () => undefined };

/**
 * Connects to the configured payment provider; starts the test provider in this process unless SANDBOX_URL names one.
 * @param now the shop's clock, shared with the test provider in this process: with different clocks they would disagree on
 *   a session's age
 */
export async function startPayments(config: Config, now: () => Date): Promise<StartedPayments> {
  const { publicUrl, payments: paymentConfig } = config;
  if (paymentConfig.provider === 'stripe')
    return { payments: openPayments({ ...paymentConfig, publicUrl }), ...external };

  const folder = path.join(config.dataDir, 'sandbox');
  const keys = paymentConfig.keys ?? (await readOrCreateKeys(folder));
  if (paymentConfig.url !== undefined)
    return { payments: openPayments({ ...keys, apiUrl: new URL(paymentConfig.url), publicUrl }), ...external };
  const hosts = config.host === 'localhost' ? ['127.0.0.1', '::1'] : [config.host];
  const sandbox = await startTestProvider({
    ...keys,
    port: paymentConfig.port,
    hosts,
    folder,
    webhookUrl: `http://${reachableHost(config.host)}:${config.port}/api/payments/webhook`,
    publicUrl: testProviderUrl(publicUrl, paymentConfig.port),
    shopName,
    now,
    holdsDeliveries: true,
    ...(paymentConfig.controlToken !== undefined && { controls: { token: paymentConfig.controlToken } }),
  });
  const apiUrl = new URL(`http://${reachableHost(config.host)}:${sandbox.port}`);
  return {
    payments: openPayments({ ...keys, apiUrl, publicUrl }),
    listens: sandbox.startDeliveries,
    showShop: sandbox.showShop,
    stop: sandbox.close,
  };
}

/** Reports a failed start with the variable that can fix it. */
async function startTestProvider(options: SandboxOptions): Promise<Sandbox> {
  return startSandbox(options).catch((error: unknown) => {
    const { message, code } = error as NodeJS.ErrnoException;
    const isPort = code === 'EADDRINUSE' || /port/i.test(message);
    throw new ConfigError(isPort ? `SANDBOX_PORT: ${message}` : message);
  });
}

/**
 * The test provider's URL for browsers: another site than the shop's, so that cookies behave as with a real provider. It
 * has no TLS of its own, even where a local proxy provides it for the shop.
 * Rule: docs/rules/orders-and-payment.md, The test provider
 */
export function testProviderUrl({ protocol, hostname }: URL, port: number): string {
  if (!isLoopback(hostname)) return `${protocol}//${hostname}:${port}`;
  return `http://${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`;
}

/** The address under which this process reaches a server that listens on `host`. */
function reachableHost(host: string): string {
  if (['localhost', '0.0.0.0', '::'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
