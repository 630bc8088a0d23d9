import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/server/core/config';

type Environment = Parameters<typeof readConfig>[0];
const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const liveKeys = { ...keys, STRIPE_SECRET_KEY: 'sk_live_1' };
const s3Keys = { S3_ACCESS_KEY_ID: 'AKIA1', S3_SECRET_ACCESS_KEY: 'hunter2' };
const s3 = { bucketUrl: 'https://s3.example.com/shop', accessKeyId: 'AKIA1', secretAccessKey: 'hunter2' };
const production = { PUBLIC_URL: 'https://shop.example.com' };
const database = 'postgres://shop:secret@db.internal:5432/shop';
const appLogin = 'postgres://shop_web:web@db/shop';

test('without any variable the shop runs on a laptop', () => {
  const { publicUrl, ...config } = readConfig({});
  expect(publicUrl.href).toBe('http://localhost:3000/');
  expect(config).toEqual({
    port: 3000,
    host: 'localhost',
    dataDir: path.resolve('data'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    s3: undefined,
    ownerEmail: 'owner@example.com',
    ownerPassword: undefined,
    sessionSecret: undefined,
    demoCatalog: true,
    demoSizes: true,
    demoCommerce: false,
    payments: { provider: 'sandbox', keys: undefined, url: undefined, port: 3001, controlToken: undefined },
    smtpUrl: undefined,
    mailFrom: 'no-reply@localhost',
    trustProxy: [],
    serviceWorker: true,
    logLevel: 'info',
  });
});

test('an empty variable counts as unset', () => {
  const names = ['PORT', 'HOST', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL', 'OWNER_EMAIL', 'OWNER_PASSWORD', 'PAYMENTS'];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
  expect(readConfig({ PORT: ' ', HOST: ' ', PAYMENTS: ' ', TRUST_PROXY: ' , ' })).toEqual(readConfig({}));
});

describe('a set variable counts', () => {
  const said: [Environment, object][] = [
    [{ PORT: '8080' }, { port: 8080, publicUrl: new URL('http://localhost:8080') }],
    [{ PORT: '8080' }, { payments: { provider: 'sandbox', keys: undefined, url: undefined, port: 8081 } }],
    [{ PORT: '65535' }, { payments: { provider: 'sandbox', keys: undefined, url: undefined, port: 65_534 } }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ LOG_LEVEL: 'warn' }, { logLevel: 'warn' }],
    [{ ...s3Keys, S3_URL: 'https://s3.example.com/shop' }, { s3: { ...s3, folder: '', region: 'us-east-1' } }],
    [{ ...s3Keys, S3_URL: 'https://s3.example.com/shop/' }, { s3: { ...s3, folder: '' } }],
    [
      { ...s3Keys, S3_URL: 'https://s3.example.com/shop/a/b?region=eu-central-1' },
      { s3: { ...s3, folder: 'a/b/', region: 'eu-central-1' } },
    ],
    [{ ...s3Keys, S3_URL: 'http://[::1]:9000/shop' }, { s3: { bucketUrl: 'http://[::1]:9000/shop' } }],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, { publicUrl: new URL('http://127.0.0.1:3000') }],
    [{ DATA_DIR: '/var/lib/shop' }, { dataDir: '/var/lib/shop' }],
    [{ DATABASE_URL: database }, { databaseUrl: database, databaseDirectUrl: undefined, demoCatalog: false }],
    [{ DATABASE_URL: database, DEMO_CATALOG: 'on' }, { demoCatalog: true }],
    [{ DEMO_CATALOG: 'off' }, { demoCatalog: false }],
    [{ DEMO_SIZES: 'off' }, { demoCatalog: true, demoSizes: false }],
    [{ DATABASE_URL: database, DATABASE_DIRECT_URL: `${database}2` }, { databaseDirectUrl: `${database}2` }],
    [{ DATABASE_URL: database, DATABASE_REPLICA_URL: `${database}2` }, { databaseReplicaUrl: `${database}2` }],
    [{ DATABASE_URL: database, DATABASE_APP_URL: appLogin }, { databaseAppUrl: appLogin }],
    [{ OWNER_EMAIL: 'ana@example.com' }, { ownerEmail: 'ana@example.com' }],
    [{ OWNER_PASSWORD: 'twelve signs' }, { ownerPassword: 'twelve signs' }],
    [{ SESSION_SECRET: 'x'.repeat(32) }, { sessionSecret: 'x'.repeat(32) }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1,192.0.2.7' }, { trustProxy: ['10.0.0.0/8', '::1', '192.0.2.7'] }],
    [{ SANDBOX_PORT: '4000' }, { payments: { provider: 'sandbox', keys: undefined, url: undefined, port: 4000 } }],
    [{ SANDBOX_CONTROL_TOKEN: 'a token' }, { payments: { controlToken: 'a token' } }],
    [
      { SANDBOX_URL: 'http://localhost:4000/' },
      { payments: { provider: 'sandbox', keys: undefined, url: 'http://localhost:4000', port: 3001 } },
    ],
    [keys, { payments: { provider: 'stripe', secretKey: 'sk_test_1', webhookSecret: 'whsec_1' } }],
    [
      { ...liveKeys, ...production },
      { payments: { provider: 'stripe', secretKey: 'sk_live_1', webhookSecret: 'whsec_1' } },
    ],
    [
      { ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_2,whsec_1' },
      { payments: { publishableKey: 'pk_test_1', webhookSecret: 'whsec_2,whsec_1' } },
    ],
    [{ ...keys }, { payments: { publishableKey: undefined } }],
    [{ SMTP_URL: 'smtps://shop:p%40ss@mail.example.com' }, { smtpUrl: 'smtps://shop:p%40ss@mail.example.com' }],
    [{ MAIL_FROM: 'The shop <shop@example.com>' }, { mailFrom: 'shop@example.com' }],
    [{ ...production, PAYMENTS: 'sandbox' }, { mailFrom: 'no-reply@shop.example.com' }],
    [
      { ...production, PAYMENTS: 'sandbox' },
      { payments: { provider: 'sandbox', keys: undefined, url: undefined, port: 3001 } },
    ],
    [
      { ...keys, PAYMENTS: 'sandbox' },
      {
        payments: {
          provider: 'sandbox',
          keys: { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' },
          url: undefined,
          port: 3001,
        },
      },
    ],
  ];
  test.each(said)('%j', (env, config) => {
    expect(readConfig(env)).toMatchObject(config);
  });
});

describe('an invalid value stops the start with one sentence that names its variable', () => {
  const wrong: [name: string, values: string[], rest?: Environment][] = [
    ['PORT', ['0', '65536', '-1', '80.5', '3e3', 'http', '0x50']],
    ['SANDBOX_PORT', ['0', '65536', 'x']],
    ['SANDBOX_PORT', ['3000'], { PORT: '3000' }],
    ['SMTP_URL', ['mail.example.com', 'http://mail.example.com']],
    ['MAIL_FROM', ['shop', 'Shop <shop>', 'a@example.com, b@example.com <x', 'Shop\nBcc: <a@example.com>']],
    ['STRIPE_PUBLISHABLE_KEY', ['sk_test_1', 'pk_1', 'pk_live_1'], keys],
    ['STRIPE_WEBHOOK_SECRET', ['a,b,c', 'a b', 'a,'], { STRIPE_SECRET_KEY: 'sk_test_1' }],
    ['LOG_LEVEL', ['loud', 'INFO', '30']],
    ['S3_URL', ['s3.example.com/shop', 's3://shop', 'ftp://s3.example.com/shop'], s3Keys],
    ['S3_URL', ['https://s3.example.com', 'https://s3.example.com/a b', 'https://s3.example.com/a//b'], s3Keys],
    ['S3_URL', ['https://s3.example.com/a?region=', 'https://s3.example.com/a?x=1', 'https://a.test/b#c'], s3Keys],
    ['S3_URL', ['https://key:secret@s3.example.com/shop', ''], s3Keys],
    ['S3_ACCESS_KEY_ID', [''], { ...s3Keys, S3_URL: 'https://s3.example.com/shop' }],
    ['S3_SECRET_ACCESS_KEY', [''], { ...s3Keys, S3_URL: 'https://s3.example.com/shop' }],
    [
      'PUBLIC_URL',
      [
        'shop.example.com',
        'ftp://shop.example.com',
        'http://shop.example.com',
        'http://',
        'https://shop.example.com/shop',
      ],
    ],
    ['PUBLIC_URL', ['https://shop.example.com?a=1', 'https://shop.example.com/#a', 'https://a:b@shop.example.com']],
    ['DATABASE_URL', ['mysql://db/shop', 'db.internal', '5432']],
    ['DATABASE_DIRECT_URL', ['http://db'], { DATABASE_URL: database }],
    ['DATABASE_URL', [''], { DATABASE_DIRECT_URL: database }],
    ['DATABASE_REPLICA_URL', ['http://db', database], { DATABASE_URL: database }],
    ['DATABASE_URL', [''], { DATABASE_REPLICA_URL: database }],
    ['DATABASE_APP_URL', ['http://db', database, 'postgres://db/shop', `${database}2`], { DATABASE_URL: database }],
    ['DATABASE_URL', [''], { DATABASE_APP_URL: appLogin }],
    ['DEMO_CATALOG', ['maybe', '2']],
    ['DEMO_SIZES', ['maybe', '2']],
    ['DEMO_COMMERCE', ['maybe', '2']],
    ['OWNER_PASSWORD', ['short', 'eleven sign']],
    ['SESSION_SECRET', ['x'.repeat(31)]],
    ['TRUST_PROXY', ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.1,all', '300.0.0.1', 'true']],
    ['PAYMENTS', ['paypal', 'Stripe']],
    ['SANDBOX_URL', ['localhost:4000', 'ws://localhost:4000']],
    ['STRIPE_WEBHOOK_SECRET', [''], { STRIPE_SECRET_KEY: 'sk_test_1' }],
    ['STRIPE_SECRET_KEY', [''], { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['STRIPE_SECRET_KEY', [''], { PAYMENTS: 'stripe' }],
    ['STRIPE_SECRET_KEY', [''], production],
    ['STRIPE_SECRET_KEY', [''], { ...production, SANDBOX_URL: 'http://localhost:4000' }],
    ['STRIPE_SECRET_KEY', ['sk_live_1', 'rk_live_1'], { ...keys, PAYMENTS: 'sandbox' }],
  ];
  const cases = wrong.flatMap(([name, values, rest = {}]) => values.map((value) => ({ name, value, rest })));
  test.each(cases)('$name=$value with $rest', ({ name, value, rest }) => {
    const read = () => readConfig({ ...rest, [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} [^.\\n]*(?:\\.\\w[^.\\n]*)*$`)); // one sentence, without its period
  });

  test('which never contains a secret', () => {
    for (const env of [
      { OWNER_PASSWORD: 'hunter2' },
      { SESSION_SECRET: 'hunter2' },
      { ...liveKeys, PAYMENTS: 'sandbox' },
      { ...s3Keys, S3_URL: 'https://AKIA1:hunter2@s3.example.com/shop' },
      { ...s3Keys, S3_URL: 'https://s3.example.com' },
    ])
      expect(() => readConfig(env)).toThrow(/^(?!.*(hunter2|sk_live_1|AKIA1))/s);
  });
});

test('with any public name the shop refuses to run without real payments by mistake, and says how to allow it', () => {
  expect(() => readConfig(production)).toThrow(/PAYMENTS=sandbox/);
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    expect(readConfig({ PUBLIC_URL: `http://${host}:3000` }).payments.provider).toBe('sandbox');
  }
  for (const host of ['localhost.evil.test', '127.0.0.2', '0.0.0.0', '192.168.1.5']) {
    expect(() => readConfig({ PUBLIC_URL: `http://${host}:3000` })).toThrow(ConfigError);
  }
});
