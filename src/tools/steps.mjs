/** The steps of `npm start`, `npm test` and `npm run build`: install, build what is stale, one line of output per step. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { carryOver, putAside } from './releases.mjs';
import { writeSbom } from './sbom.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node.js 20.19 or later is required (found ${process.versions.node})`);
  process.exit(1);
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);

/** The parts of the shop: their inputs, and a file that exists once they are built. */
const parts = [
  {
    name: 'web',
    inputs: ['src/shared', 'src/web', 'public', 'sw'],
    output: 'dist/web/index.html',
    args: ['build'],
    prepare: () => putAside('dist'),
    finish: () => compressFiles('dist/web').then(() => carryOver('dist')),
  },
  {
    name: 'server',
    inputs: ['src/shared', 'src/server', 'src/sandbox'],
    output: 'dist/server/main.js',
    args: ['build', '--ssr'],
  },
  {
    name: 'rendering',
    inputs: ['src/shared', 'src/web'],
    output: 'dist/render/renderPage.js',
    args: ['build', '--ssr', '--mode', 'render'],
  },
];
const inputsOfAll = ['vite.config.ts', 'src/tools/themeStyles.mjs', 'src/tools/pageStart.mjs', 'package-lock.json'];
const builtFile = '.cache/build.json';
// contains the hash of the lock file; it is deleted with node_modules
const installedFile = 'node_modules/.installed';

export class StepFailed extends Error {}

/** Runs `work`, and prints its name and duration on one line. */
export async function step(name, work) {
  const began = Date.now();
  const start = `${name.padEnd(20)} `;
  const beforeTime = areManyRunning ? start : '';
  if (!areManyRunning) process.stdout.write(start);
  try {
    const result = await work();
    console.log(`${beforeTime}${seconds(began)} s`);
    return result;
  } catch (error) {
    console.log(`${beforeTime}${seconds(began)} s, failed`);
    throw error;
  }
}

let areManyRunning = false;

/** Runs steps in parallel: each prints its line when it ends. */
export async function sideBySide(...works) {
  areManyRunning = true;
  try {
    return await Promise.all(works.map((work) => work()));
  } finally {
    areManyRunning = false;
  }
}

/** Exits after an error. A failed step has already printed its name, so only its output follows. */
export function endOnFailure(error) {
  console.error(error instanceof StepFailed ? error.message : error);
  process.exit(1);
}

/**
 * Runs a Node program of a package, or of ours, quietly.
 * @returns its output
 * @throws StepFailed with its output
 */
export function runNode(args, env = {}) {
  return run(process.execPath, args, env);
}

/** Runs a Node program with this process's input and output. @throws StepFailed */
export function runLoud(args, env = {}) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new StepFailed(error.message)));
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new StepFailed(`${path.basename(args[0])} exited with ${signal ?? code}`)),
    );
  });
}

export function run(command, args, env = {}, options = {}) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
    child.once('error', (error) => reject(new StepFailed(error.message)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else
        reject(new StepFailed(`${printed.trim()}\n${path.basename(args[0] ?? command)} exited with ${signal ?? code}`));
    });
  });
}

/** Installs the packages of package-lock.json unless they are installed: dev packages too, whatever NODE_ENV says. */
export async function install() {
  const lock = await readFile('package-lock.json', 'utf8');
  const wanted = createHash('sha256').update(lock).digest('hex');
  if ((await readFile(installedFile, 'utf8').catch(() => '')) === wanted) return;
  if (!(await hasPackagesOf(JSON.parse(lock)))) {
    const npm = findNpm();
    const ci = ['ci', '--include=dev', '--no-audit', '--no-fund'];
    await step('install', () =>
      npm ? runNode([npm, ...ci]) : run('npm', ci, {}, { shell: process.platform === 'win32' }),
    );
  }
  await writeFile(installedFile, wanted);
}

/** Whether a manual `npm ci` installed the same packages: npm writes its list last. */
async function hasPackagesOf(lock) {
  const installed = await readJson('node_modules/.package-lock.json');
  if (!installed) return false;
  return Object.entries(lock.packages).every(([folder, { version, optional, extraneous }]) => {
    const there = installed.packages[folder];
    return folder === '' || (there ? there.version === version : optional || extraneous);
  });
}

/** The npm that came with this Node; the npm on PATH may belong to another Node. */
function findNpm() {
  const beside = path.dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath ?? '',
    path.join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    path.join(beside, 'node_modules/npm/bin/npm-cli.js'),
  ];
  return candidates.find((each) => each.endsWith('npm-cli.js') && existsSync(each));
}

/** Builds the parts whose inputs changed since their last build. */
export async function build() {
  const built = (await readJson(builtFile)) ?? {};
  for (const { name, inputs, output, args, prepare, finish } of parts) {
    const hash = await hashOf([...inputs, ...inputsOfAll]);
    if (built[name] === hash && existsSync(output)) continue;
    await step(`build ${name}`, async () => {
      await prepare?.();
      await runNode(['node_modules/vite/bin/vite.js', ...args, '--logLevel', 'warn'], { NODE_ENV: 'production' });
      await finish?.();
    });
    built[name] = hash;
    await mkdir(path.dirname(builtFile), { recursive: true });
    await writeFile(builtFile, JSON.stringify(built));
  }
  await writeSbom('package-lock.json', 'dist/sbom.json');
}

/** Writes `.br` and `.gz` of the highest quality beside each file that shrinks; the server sends them as they are. */
async function compressFiles(folder) {
  const compressed = (await listFiles(folder)).filter((file) => /\.(?:js|css|svg|webmanifest)$/.test(file));
  const compress = async (file) => {
    const content = await readFile(file);
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content)); // Brotli's highest quality is the default
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
  };
  await Promise.all(compressed.map(compress));
}

async function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs)
    for (const file of await listFiles(input)) {
      const content = await readFile(file);
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  return hash.digest('hex');
}

async function listFiles(folder) {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (!entries) return [folder];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const seconds = (began) => ((Date.now() - began) / 1000).toFixed(1).padStart(6);
