/** The rules in .dependency-cruiser.mjs can fail: in a small house with an import against each of them, all are found. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const config = path.join(root, '.dependency-cruiser.mjs');
const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** [file, what it imports, the rule against it] */
const planted = [
  ['src/shared/money.ts', 'src/server/clock.ts', 'shared imports only itself'],
  ['src/shared/paging.ts', 'node_modules/zod/index.js', 'shared imports only itself'],
  ['src/shared/authForms.ts', 'node_modules/uuid/index.js', 'shared imports only itself'],
  ['src/web/home/rules.ts', 'node_modules/zod/index.js', 'zod comes without made code'],
  ['src/shared/cart.ts', 'node_modules/zod/index.js', 'ids of lines use uuid alone'],
  ['src/shared/auth.ts', 'src/shared/usersForms.ts', 'zod stays in forms'],
  ['src/shared/users.ts', 'src/shared/zod.ts', 'zod stays in forms'],
  ['src/web/home/HomePage.tsx', 'src/server/clock.ts', 'the browser app shares only src/shared'],
  ['src/server/http/pages.ts', 'src/web/home/Hero.tsx', 'the server knows no browser app'],
  ['sw/sw.ts', 'src/web/home/Hero.tsx', 'the service worker shares only src/shared'],
  ['src/sandbox/api.ts', 'src/shared/users.ts', 'the test provider knows no shop'],
  ['src/tools/start.mjs', 'node_modules/zod/index.js', 'tools load packages only when needed'],
  ['src/server/stock/routes.ts', 'src/server/app.ts', 'no room knows what is made of it'],
  ['src/web/home/About.tsx', 'src/web/main.tsx', 'no room knows what is made of it'],
  ['src/server/db/open.ts', 'src/server/http/json.ts', 'db knows no feature'],
  ['src/server/http/live.ts', 'src/server/users/service.ts', 'http knows no feature'],
  ['src/server/stock/service.ts', 'src/server/users/repository.ts', "no feature uses another's repository"],
  ['src/server/stock/ledger.ts', 'src/server/users/searchRepository.ts', "no feature uses another's repository"],
  ['src/web/browser/locks.ts', 'src/web/home/Hero.tsx', 'web/browser stands on nothing'],
  ['src/web/browser/channel.ts', 'src/shared/users.ts', 'web/browser has no word of the shop'],
  ['src/web/server/client.ts', 'src/web/ui/toast.ts', 'web/server stands on browser'],
  ['src/web/outbox/outbox.ts', 'src/web/home/Hero.tsx', 'web/outbox stands on browser, server, device, ui'],
  ['src/web/device/db.ts', 'src/web/home/Hero.tsx', 'web/device stands on browser, server, outbox, ui'],
  ['src/web/ui/Button.tsx', 'src/web/server/errors.ts', 'web/ui stands on browser'],
  ['src/web/home/Hull.tsx', 'src/web/app/routes.tsx', 'no feature knows the app'],
  ['src/server/cart/routes.ts', 'src/nowhere/at/all.ts', 'what is imported is there'],
] as const;

/** Every two files of this circle are in one folder. */
const fileCircle = ['src/server/orders/service.ts', 'src/server/orders/placing.ts'] as const;
/** No file of these imports one that imports another; only the folders stand in a circle. */
const folderCircle = ['src/server/mail', 'src/server/alarms', 'src/server/audit'] as const;

type Violation = { rule: { name: string }; from: string; to: string; cycle?: { name: string }[] };

let house: string;
let violations: Violation[];

beforeAll(async () => {
  house = await mkdtemp(path.join(tmpdir(), 'rooms-'));
  for (const [from, to] of planted) await plant(from, to);
  await plant(fileCircle[0], fileCircle[1]);
  await plant(fileCircle[1], fileCircle[0], 'import type');
  for (const [index, folder] of folderCircle.entries())
    await plant(`${folder}/service.ts`, `${folderCircle[(index + 1) % 3]}/routes.ts`, 'import type');
  violations = await cruise();
}, 60_000);
afterAll(() => rm(house, { recursive: true, force: true }));

test.each(planted)('%s may not import %s: %s', (from, to, rule) => {
  expect(found(rule)).toContainEqual({ from, to: to.includes('nowhere') ? expect.anything() : to });
});

test('two files in a circle are found when one imports only a type', () => {
  expect(found('no circle of files')).toHaveLength(1);
  expect(circles('no circle of files')).toEqual([[...fileCircle].toSorted()]);
});

test('three folders in a circle are found when no files are', () => {
  expect(circles('no circle of folders')).toContainEqual([...folderCircle].toSorted());
});

test('every rule has an import planted against it', async () => {
  const { default: rules } = (await import(config)) as { default: { forbidden: { name: string }[] } };
  const tried = [...planted.map(([, , rule]) => rule), 'no circle of files', 'no circle of folders'];
  expect(new Set(tried)).toEqual(new Set(rules.forbidden.map(({ name }) => name)));
});

/** Writes `from` with an import of `to`, and `to` itself unless it shall be missing. */
async function plant(from: string, to: string, word = 'import'): Promise<void> {
  const target = path.relative(path.dirname(from), to).replace(/[.]tsx?$/, '');
  await write(from, `${word} ${word === 'import' ? '' : '{ A } from '}'./${target}';\nexport type A = 1;\n`);
  if (!to.includes('nowhere')) await write(to, 'export type A = 1;\n', 'a');
}

async function write(file: string, text: string, flag = 'w'): Promise<void> {
  await mkdir(path.join(house, path.dirname(file)), { recursive: true });
  await writeFile(path.join(house, file), text, { flag });
}

function cruise(): Promise<Violation[]> {
  const args = [cruiser, '--config', config, '--output-type', 'json', 'src', 'sw'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: house, maxBuffer: 2 ** 26 }, (_failed, printed, complaint) => {
      if (!printed) return reject(new Error(complaint));
      resolve((JSON.parse(printed) as { summary: { violations: Violation[] } }).summary.violations);
    });
  });
}

const found = (rule: string) =>
  violations.filter((each) => each.rule.name === rule).map(({ from, to }) => ({ from, to }));

const circles = (rule: string) =>
  violations.filter((each) => each.rule.name === rule).map(({ cycle }) => cycle?.map(({ name }) => name).toSorted());
