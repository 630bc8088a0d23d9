/** Runs the test payment provider as a separate process. */
import { join } from 'node:path';
import { readOrCreateKeys } from './keys';
import { startSandbox } from './sandbox';

try {
  await main(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const folder = join(env['DATA_DIR'] || './data', 'sandbox');
  const keys = await readOrCreateKeys(folder);
  const host = env['HOST'] || 'localhost';
  const token = env['SANDBOX_CONTROL_TOKEN'];
  const publicUrl = env['SANDBOX_URL'];
  const sandbox = await startSandbox({
    port: readPort(env['SANDBOX_PORT'] || '3001'),
    hosts: host === 'localhost' ? ['127.0.0.1', '::1'] : [host],
    folder,
    secretKey: env['STRIPE_SECRET_KEY'] || keys.secretKey,
    webhookSecret: env['STRIPE_WEBHOOK_SECRET'] || keys.webhookSecret,
    webhookUrl: env['WEBHOOK_URL'] || undefined,
    shopName: env['SHOP_NAME'] || 'Test shop',
    ...(publicUrl && { publicUrl }),
    ...(token && { controls: { token } }),
  });
  process.stdout.write(`Test payment provider running at ${sandbox.url} (no real money moves)\n`);

  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('SANDBOX_PORT must be a port number.');
  return port;
}
