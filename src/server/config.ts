/** The environment as typed configuration. Every default works on a laptop with no service. Source: decisions §9 */
import { isIP } from 'node:net';
import path from 'node:path';

export type PaymentsConfig =
  | { provider: 'stripe'; secretKey: string; webhookSecret: string }
  | {
      provider: 'sandbox';
      keys: { secretKey: string; webhookSecret: string } | undefined;
      url: string | undefined;
      port: number;
    };

export type Config = {
  port: number;
  host: string;
  publicUrl: URL;
  dataDir: string;
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  ownerEmail: string;
  ownerPassword: string | undefined;
  sessionSecret: string | undefined;
  demoCatalog: boolean;
  payments: PaymentsConfig;
  trustProxy: string[];
  logLevel: (typeof logLevels)[number];
};

/** What is wrong with the configuration, in one sentence that names the variable. */
export class ConfigError extends Error {}

const maxPort = 65_535;

type Environment = Record<string, string | undefined>;

/** @throws ConfigError */
export function readConfig(env: Environment): Config {
  const port = readPort(env, 'PORT', 3000);
  const host = text(env, 'HOST') ?? 'localhost';
  const publicUrl = readUrl(env, 'PUBLIC_URL', ['http:', 'https:']) ?? new URL(`http://localhost:${port}`);
  if (publicUrl.href !== `${publicUrl.origin}/`) {
    throw new ConfigError('PUBLIC_URL must be an origin such as https://shop.example.com, without a path');
  }
  const databaseUrl = readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href;
  const databaseDirectUrl = readUrl(env, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'])?.href;
  if (databaseDirectUrl && !databaseUrl)
    throw new ConfigError('DATABASE_URL is missing (DATABASE_DIRECT_URL is only for what must go past its PgBouncer)');
  return {
    port,
    host,
    publicUrl,
    dataDir: path.resolve(text(env, 'DATA_DIR') ?? 'data'),
    databaseUrl,
    databaseDirectUrl,
    ownerEmail: text(env, 'OWNER_EMAIL') ?? 'owner@example.com',
    ownerPassword: readOwnerPassword(env),
    sessionSecret: readSessionSecret(env),
    demoCatalog: readSwitch(env, 'DEMO_CATALOG') ?? databaseUrl === undefined,
    payments: readPayments(env, port, publicUrl),
    trustProxy: readAddresses(env, 'TRUST_PROXY'),
    logLevel: readLogLevel(env),
  };
}

/** Whether `hostname` names this machine itself. */
export const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

function readPayments(env: Environment, port: number, publicUrl: URL): PaymentsConfig {
  const asked = text(env, 'PAYMENTS');
  if (asked && !['stripe', 'sandbox'].includes(asked)) throw new ConfigError("PAYMENTS must be 'stripe' or 'sandbox'");
  const secretKey = text(env, 'STRIPE_SECRET_KEY');
  const webhookSecret = text(env, 'STRIPE_WEBHOOK_SECRET');
  if (secretKey && !webhookSecret) throw new ConfigError('STRIPE_WEBHOOK_SECRET is missing (STRIPE_SECRET_KEY is set)');
  if (webhookSecret && !secretKey) throw new ConfigError('STRIPE_SECRET_KEY is missing (STRIPE_WEBHOOK_SECRET is set)');
  const keys = secretKey && webhookSecret ? { secretKey, webhookSecret } : undefined;
  if (keys && asked !== 'sandbox') return { provider: 'stripe', ...keys };
  if (asked === 'stripe')
    throw new ConfigError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are missing (PAYMENTS is stripe)');
  if (asked !== 'sandbox' && !isLoopback(publicUrl.hostname)) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are missing (PAYMENTS=sandbox asks for the test provider by name)',
    );
  }
  if (keys && /^[sr]k_live_/.test(keys.secretKey))
    throw new ConfigError('STRIPE_SECRET_KEY is a live key: the test provider refuses it');
  const url = readUrl(env, 'SANDBOX_URL', ['http:', 'https:'])?.origin;
  const sandboxPort = readPort(env, 'SANDBOX_PORT', port < maxPort ? port + 1 : port - 1);
  if (sandboxPort === port) throw new ConfigError('SANDBOX_PORT must be another port than PORT');
  return { provider: 'sandbox', keys, url, port: sandboxPort };
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

function readLogLevel(env: Environment): Config['logLevel'] {
  const asked = text(env, 'LOG_LEVEL') ?? 'info';
  const level = logLevels.find((known) => known === asked);
  if (!level) throw new ConfigError(`LOG_LEVEL must be one of ${logLevels.join(', ')}`);
  return level;
}

function readOwnerPassword(env: Environment): string | undefined {
  const password = env['OWNER_PASSWORD'] || undefined;
  if (password !== undefined && password.length < 12)
    throw new ConfigError('OWNER_PASSWORD must have at least 12 characters');
  return password;
}

function readSessionSecret(env: Environment): string | undefined {
  const secret = text(env, 'SESSION_SECRET');
  if (secret !== undefined && secret.length < 32)
    throw new ConfigError('SESSION_SECRET must have at least 32 characters');
  return secret;
}

function readPort(env: Environment, name: string, fallback: number): number {
  const value = text(env, name);
  const port = value === undefined ? fallback : /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  if (!(port >= 1 && port <= maxPort)) throw new ConfigError(`${name} must be a port number from 1 to ${maxPort}`);
  return port;
}

function readUrl(env: Environment, name: string, protocols: readonly string[]): URL | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !protocols.includes(url.protocol))
    throw new ConfigError(
      `${name} must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
  return url;
}

/** @returns addresses and networks such as 10.0.0.0/8, written with commas between them */
function readAddresses(env: Environment, name: string): string[] {
  const addresses = (text(env, name) ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  if (!addresses.every(isNetwork))
    throw new ConfigError(`${name} must be addresses or networks such as 10.0.0.0/8, with commas between them`);
  return addresses;
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const maxBits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits && rest.length === 0;
}

function readSwitch(env: Environment, name: string): boolean | undefined {
  const value = text(env, name)?.toLowerCase();
  if (value === undefined) return undefined;
  if (['1', 'true', 'on', 'yes'].includes(value)) return true;
  if (['0', 'false', 'off', 'no'].includes(value)) return false;
  throw new ConfigError(`${name} must be on or off`);
}

const text = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;
