/**
 * `npm run dev`: the shop on http://localhost:5173, reloaded as its code changes. Vite's server serves the browser app
 * and forwards /api, /pictures and /portraits to the shop's server, which is rebuilt and restarted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { build, endOnFailure, forgetBuild, install } from './steps.mjs';

const vite = 'node_modules/vite/bin/vite.js';
const builtServer = 'dist/server';
const serverFile = `${builtServer}/main.js`;
// a build writes several files, which are one restart
const settleMs = 200;
const env = { PORT: '3000', PUBLIC_URL: 'http://localhost:5173', ...process.env };

await install().then(build).then(forgetBuild).catch(endOnFailure);
const tools = [
  start([vite, 'build', '--ssr', '--watch', '--logLevel', 'warn'], { ...env, NODE_ENV: 'production' }),
  start([vite, '--port', '5173', '--strictPort'], env),
];
// started once the first build has written it
let server;
let restarting = Promise.resolve();
let ending = false;
let settled;
watch(builtServer, () => {
  clearTimeout(settled);
  settled = setTimeout(() => {
    restarting = restarting.then(restart);
  }, settleMs);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void endAll());
for (const tool of tools) tool.once('exit', () => void endAll());

async function restart() {
  await end(server);
  if (!ending && existsSync(serverFile)) server = startServer();
}

async function endAll() {
  if (ending) return;
  ending = true;
  clearTimeout(settled);
  await restarting;
  await Promise.all([...tools, server].map(end));
  process.exit();
}

function startServer() {
  const child = start([serverFile], { ...env, NODE_ENV: 'development' });
  child.once('exit', (code) => code && console.log('The server ended; it is started again after the next change'));
  return child;
}

function start(args, childEnv) {
  return spawn(process.execPath, args, { env: childEnv, stdio: ['ignore', 'inherit', 'inherit'] });
}

async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
