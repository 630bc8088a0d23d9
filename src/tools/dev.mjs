/**
 * `npm run dev`: the shop on http://localhost:5173, reloading on code changes. Vite serves the browser app with hot reload
 * and proxies the rest to the shop's server. The server is rebuilt and restarted after each change of its files; its
 * database keeps running. WEB_PORT and PORT choose other ports.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endOnFailure, install } from './steps.mjs';

const webPort = Number(process.env.WEB_PORT ?? 5173);
const env = {
  PORT: '3000',
  PUBLIC_URL: `http://localhost:${webPort}`,
  DEMO_CATALOG: 'on',
  LOG_LEVEL: 'warn',
  ...process.env,
  NODE_ENV: 'development',
};
const builtServer = '.cache/dev';
/** How long a stopping server may finish its requests. */
const endsWithinMs = 1000;

await install().catch(endOnFailure);
const { build, createLogger, createServer } = await import('vite');
process.env.PORT = env.PORT; // vite.config.ts proxies to it
process.env.VITE_CONFIG_NATIVE_IGNORE_WARNING ??= 'true'; // the warning is about a future version of Vite
const web = await createServer({ server: { port: webPort, strictPort: true }, customLogger: quietWhileServerStarts() });
// Vite's own listener would exit this process before its server and database have ended
for (const listener of process.listeners('SIGTERM')) process.off('SIGTERM', listener);
await web.listen().catch(endOnFailure);
web.printUrls();
const watcher = await build({ mode: 'dev', logLevel: 'warn', build: { ssr: true, watch: {} } });

let database;
let server;
let isEnding = false;
let lastRestart = Promise.resolve();
watcher.on('event', async (event) => {
  if (event.code === 'BUNDLE_END') await event.result.close();
  if (event.code === 'ERROR') console.error(event.error);
  if (event.code === 'END') lastRestart = lastRestart.then(restart).catch(fail);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void endAll(0));

/** The page polls while the server starts; a stack trace per request would hide other output. */
function quietWhileServerStarts() {
  const logger = createLogger();
  const error = logger.error.bind(logger);
  logger.error = (text, options) => {
    if (!/proxy error/.test(text)) error(text, options);
  };
  return logger;
}

async function restart() {
  await end(server);
  database ??= await startDatabase();
  if (isEnding) return;
  const child = spawn(process.execPath, ['--enable-source-maps', `${builtServer}/main.js`], {
    env: { ...env, DATABASE_URL: database.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.once('exit', (code) => code && console.log('The server stopped. It restarts after the next change.'));
  server = child;
}

/** DATABASE_URL, or the built-in database in DATA_DIR. */
async function startDatabase() {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => undefined };
  const { startEmbeddedPostgres } = await import(path.resolve(builtServer, 'database.js'));
  const folder = path.resolve(process.env.DATA_DIR ?? 'data', 'postgres');
  const { connection, stop } = await startEmbeddedPostgres(folder, (sentence) => console.error(sentence));
  const { host, port, user, password = '', database: name } = connection;
  const login = password ? `${user}:${encodeURIComponent(password)}` : user;
  const url = host.startsWith('/')
    ? `postgres://${login}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
    : `postgres://${login}@${host}:${port}/${name}`;
  return { url, stop };
}

async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const tooLong = setTimeout(() => child.kill('SIGKILL'), endsWithinMs);
  await ended;
  clearTimeout(tooLong);
}

async function endAll(code) {
  if (isEnding) return;
  isEnding = true;
  await Promise.all([watcher.close(), web.close(), lastRestart]);
  await end(server);
  await database?.stop();
  process.exit(code);
}

function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  void endAll(1);
}
