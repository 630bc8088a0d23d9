/**
 * The environment as typed configuration. Every default works on a laptop without other services.
 * Rule: docs/configuration.md
 */
import { StartError } from './startError';
import { isIP } from 'node:net';
import path from 'node:path';
import { loginOf } from './databaseUrl';

export type PaymentsConfig =
  | { provider: 'stripe'; secretKey: string; webhookSecret: string; publishableKey: string | undefined }
  | {
      provider: 'sandbox';
      keys: { secretKey: string; webhookSecret: string } | undefined;
      url: string | undefined;
      port: number;
      /** Lets tests on this machine control the test provider in this process. */
      controlToken: string | undefined;
    };

export type S3Config = {
  /** Endpoint and bucket, such as https://s3.example.com/shop. */
  bucketUrl: string;
  /** The prefix within a shared bucket: empty, or ends in a slash. */
  folder: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Config = {
  port: number;
  host: string;
  publicUrl: URL;
  dataDir: string;
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  /** The connection of requests; by default the server of `databaseUrl`, with a login that the shop creates. */
  databaseAppUrl: string | undefined;
  databaseReplicaUrl: string | undefined;
  /** The storage of pictures; by default `dataDir`. */
  s3: S3Config | undefined;
  ownerEmail: string;
  ownerPassword: string | undefined;
  sessionSecret: string | undefined;
  demoCatalog: boolean;
  /** Further sizes of some products of the demo catalog. */
  demoSizes: boolean;
  /** Sample delivery methods, tax rates and discount codes, for a shop that has none. */
  demoCommerce: boolean;
  payments: PaymentsConfig;
  /** Without it, mails become files in DATA_DIR. */
  smtpUrl: string | undefined;
  /** The bare address; the name comes from the settings. */
  mailFrom: string;
  trustProxy: string[];
  serviceWorker: boolean;
  /** Without it, metrics are off. */
  metricsPort: number | undefined;
  logLevel: (typeof logLevels)[number];
};

/** An error in the configuration; the message is one sentence that names the variable. */
export class ConfigError extends StartError {}

const maxPort = 65_535;

type Environment = Record<string, string | undefined>;

/** @throws ConfigError */
export function readConfig(env: Environment): Config {
  const port = readPort(env, 'PORT', 3000);
  const host = text(env, 'HOST') ?? 'localhost';
  const publicUrl = readUrl(env, 'PUBLIC_URL', ['http:', 'https:']) ?? new URL(`http://localhost:${port}`);
  if (publicUrl.href !== `${publicUrl.origin}/`) {
    throw new ConfigError('PUBLIC_URL must be an origin without a path, such as https://shop.example.com');
  }
  // the session cookies are Secure: over plain http a browser would drop them
  if (publicUrl.protocol === 'http:' && !isLoopback(publicUrl.hostname))
    throw new ConfigError('PUBLIC_URL must start with https:// (the proxy in front of the shop terminates TLS)');
  const place = readPlace(env);
  return {
    port,
    host,
    publicUrl,
    ...place,
    databaseAppUrl: readAppLogin(env, place),
    databaseReplicaUrl: readReplica(env, place),
    ownerEmail: text(env, 'OWNER_EMAIL') ?? 'owner@example.com',
    ownerPassword: readOwnerPassword(env),
    sessionSecret: readSessionSecret(env),
    demoCatalog: readSwitch(env, 'DEMO_CATALOG') ?? place.databaseUrl === undefined,
    demoSizes: readSwitch(env, 'DEMO_SIZES') ?? true,
    demoCommerce: readSwitch(env, 'DEMO_COMMERCE') ?? false,
    payments: readPayments(env, port, publicUrl),
    smtpUrl: readSmtpUrl(env),
    mailFrom: readMailFrom(env, publicUrl),
    trustProxy: readAddresses(env, 'TRUST_PROXY'),
    serviceWorker: readSwitch(env, 'SERVICE_WORKER') ?? true,
    metricsPort: readPort(env, 'METRICS_PORT', undefined),
    logLevel: readLogLevel(env),
  };
}

/** Where the shop's data is; a backup needs nothing else. @throws ConfigError */
export function readPlace(env: Environment): Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 's3'> {
  const databaseUrl = readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href;
  const databaseDirectUrl = readUrl(env, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'])?.href;
  if (databaseDirectUrl && !databaseUrl)
    throw new ConfigError(
      'DATABASE_URL is missing (DATABASE_DIRECT_URL is only for connections that must bypass PgBouncer)',
    );
  const dataDir = path.resolve(text(env, 'DATA_DIR') ?? 'data');
  return { dataDir, databaseUrl, databaseDirectUrl, s3: readS3(env) };
}

function readS3(env: Environment): S3Config | undefined {
  const url = readUrl(env, 'S3_URL', ['http:', 'https:']);
  const accessKeyId = text(env, 'S3_ACCESS_KEY_ID');
  const secretAccessKey = text(env, 'S3_SECRET_ACCESS_KEY');
  if (!url) {
    if (accessKeyId || secretAccessKey) throw new ConfigError('S3_URL is missing (S3 keys are set)');
    return undefined;
  }
  if (url.username || url.password)
    throw new ConfigError('S3_URL must not contain keys (use S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY)');
  const [, bucket, folder = ''] = /^\/([\w.-]+)((?:\/[\w.-]+)*)\/?$/.exec(url.pathname) ?? [];
  const options = [...url.searchParams.keys()];
  const region = url.searchParams.get('region') ?? 'us-east-1';
  if (!bucket || url.hash || options.some((name) => name !== 'region') || !/^[\w-]{1,60}$/.test(region))
    throw new ConfigError('S3_URL must include the bucket, such as https://s3.example.com/bucket?region=us-east-1');
  if (!accessKeyId) throw new ConfigError('S3_ACCESS_KEY_ID is missing (S3_URL is set)');
  if (!secretAccessKey) throw new ConfigError('S3_SECRET_ACCESS_KEY is missing (S3_URL is set)');
  const bucketUrl = `${url.origin}/${bucket}`;
  return { bucketUrl, folder: folder && `${folder.slice(1)}/`, region, accessKeyId, secretAccessKey };
}

function readAppLogin(env: Environment, { databaseUrl }: Pick<Config, 'databaseUrl'>): string | undefined {
  const url = readUrl(env, 'DATABASE_APP_URL', ['postgres:', 'postgresql:'])?.href;
  if (!url) return undefined;
  if (!databaseUrl)
    throw new ConfigError('DATABASE_URL is missing (DATABASE_APP_URL is only a login with fewer rights)');
  const { user } = loginOf(url);
  if (!user || user === loginOf(databaseUrl).user)
    throw new ConfigError('DATABASE_APP_URL must use a different login from DATABASE_URL');
  return url;
}

function readReplica(env: Environment, { databaseUrl }: Pick<Config, 'databaseUrl'>): string | undefined {
  const url = readUrl(env, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])?.href;
  if (url && !databaseUrl) throw new ConfigError('DATABASE_URL is missing (DATABASE_REPLICA_URL is only its replica)');
  if (url && url === databaseUrl)
    throw new ConfigError('DATABASE_REPLICA_URL must be a different address from DATABASE_URL');
  return url;
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
  if (webhookSecret && !/^[^\s,]+(?:,[^\s,]+)?$/.test(webhookSecret))
    throw new ConfigError('STRIPE_WEBHOOK_SECRET must be one secret, or two separated by a comma');
  const keys = secretKey && webhookSecret ? { secretKey, webhookSecret } : undefined;
  if (keys && asked !== 'sandbox')
    return { provider: 'stripe', ...keys, publishableKey: readPublishableKey(env, keys) };
  if (asked === 'stripe')
    throw new ConfigError('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are missing (PAYMENTS is stripe)');
  if (asked !== 'sandbox' && !isLoopback(publicUrl.hostname)) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are missing (set PAYMENTS=sandbox to use the test payment provider)',
    );
  }
  if (keys && /^[sr]k_live_/.test(keys.secretKey))
    throw new ConfigError('STRIPE_SECRET_KEY is a live key, and the test payment provider accepts only test keys');
  const url = readUrl(env, 'SANDBOX_URL', ['http:', 'https:'])?.origin;
  const sandboxPort = readPort(env, 'SANDBOX_PORT', port < maxPort ? port + 1 : port - 1);
  if (sandboxPort === port) throw new ConfigError('SANDBOX_PORT must be different from PORT');
  return { provider: 'sandbox', keys, url, port: sandboxPort, controlToken: text(env, 'SANDBOX_CONTROL_TOKEN') };
}

/** It must have the secret key's mode: otherwise the mismatch would only show up as a failed payment. */
function readPublishableKey(env: Environment, { secretKey }: { secretKey: string }): string | undefined {
  const key = text(env, 'STRIPE_PUBLISHABLE_KEY');
  if (key === undefined) return undefined;
  if (!/^pk_(?:test|live)_\w+$/.test(key))
    throw new ConfigError('STRIPE_PUBLISHABLE_KEY must start with pk_test_ or pk_live_');
  if (key.startsWith('pk_live_') !== /^[sr]k_live_/.test(secretKey))
    throw new ConfigError('STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must both be test keys or both be live keys');
  return key;
}

function readSmtpUrl(env: Environment): string | undefined {
  readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  return text(env, 'SMTP_URL'); // unchanged, since a URL object would encode characters of a password
}

function readMailFrom(env: Environment, publicUrl: URL): string {
  const from = text(env, 'MAIL_FROM') ?? `no-reply@${publicUrl.hostname.replace(/[[\]]/g, '')}`;
  if (!/^(?:[^<>\p{Cc}]{1,100}<[^<>\s@]{1,64}@[^<>\s@]{1,253}>|[^<>\s@]{1,64}@[^<>\s@]{1,253})$/u.test(from))
    throw new ConfigError('MAIL_FROM must be an address such as shop@example.com or Shop <shop@example.com>');
  return /<([^<]*)>$/.exec(from)?.[1] ?? from;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

function readLogLevel(env: Environment): Config['logLevel'] {
  const asked = text(env, 'LOG_LEVEL') ?? 'info';
  const level = logLevels.find((known) => known === asked);
  if (!level) throw new ConfigError(`LOG_LEVEL must be one of ${logLevels.join(', ')}`);
  return level;
}

/** @throws ConfigError */
export function readOwnerPassword(env: Environment): string | undefined {
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

function readPort<Fallback extends number | undefined>(
  env: Environment,
  name: string,
  fallback: Fallback,
): number | Fallback {
  const value = text(env, name);
  if (value === undefined && fallback === undefined) return fallback;
  const port = value === undefined ? Number(fallback) : /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  if (!(port >= 1 && port <= maxPort)) throw new ConfigError(`${name} must be a port number from 1 to ${maxPort}`);
  return port;
}

function readUrl(env: Environment, name: string, protocols: readonly string[]): URL | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !protocols.includes(url.protocol))
    throw new ConfigError(
      `${name} must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
  return url;
}

/** @returns addresses and networks such as 10.0.0.0/8, from a comma-separated list */
function readAddresses(env: Environment, name: string): string[] {
  const addresses = (text(env, name) ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  if (!addresses.every(isNetwork))
    throw new ConfigError(`${name} must be addresses or networks separated by commas, such as 10.0.0.0/8`);
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
