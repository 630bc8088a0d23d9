// @vitest-environment node
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A new build keeps files of earlier ones, so that an open page finds its chunks. Here a build is two files. */
let dist: string;
beforeEach(async () => {
  dist = await mkdtemp(path.join(tmpdir(), 'shop-releases-'));
});
afterEach(() => rm(dist, { recursive: true, force: true }));

const assets = () => path.join(dist, 'web/assets');

async function tool(name: 'putAside' | 'carryOver') {
  const module = path.resolve('src/tools/releases.mjs');
  const call = `import { ${name} } from ${JSON.stringify(module)}; await ${name}(${JSON.stringify(dist)});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', call]);
}

/** As src/tools/steps.mjs does it: the build in the middle empties the folder. */
async function build(names: string[]) {
  await tool('putAside');
  await rm(path.join(dist, 'web'), { recursive: true, force: true });
  await mkdir(assets(), { recursive: true });
  for (const name of names) {
    await writeFile(path.join(assets(), name), name);
    await writeFile(path.join(assets(), `${name}.br`), `${name}, compressed`);
  }
  await tool('carryOver');
}

const present = async () => (await readdir(assets())).filter((name) => !name.endsWith('.br'));

test('the files of the two releases before stay, compressed too; older ones are deleted', async () => {
  await build(['one-a.js']);
  await build(['two-b.js', 'same-s.css']);
  expect(await present()).toEqual(['one-a.js', 'same-s.css', 'two-b.js']);
  await build(['three-c.js', 'same-s.css']);
  expect(await present()).toEqual(['one-a.js', 'same-s.css', 'three-c.js', 'two-b.js']);
  await build(['four-d.js']);
  expect(await present()).toEqual(['four-d.js', 'same-s.css', 'three-c.js', 'two-b.js']);
  expect(await readFile(path.join(assets(), 'two-b.js.br'), 'utf8')).toBe('two-b.js, compressed');
});

test('building the same again costs no release', async () => {
  await build(['one-a.js']);
  await build(['two-b.js']);
  for (let times = 0; times < 4; times++) await build(['three-c.js']);
  expect(await present()).toEqual(['one-a.js', 'three-c.js', 'two-b.js']);
});

test('a build that failed midway loses nothing of the release before it', async () => {
  await build(['one-a.js', 'one-b.js']);
  await tool('putAside');
  await rm(path.join(assets(), 'one-b.js')); // here it was interrupted
  await build(['two-c.js']);
  expect(await present()).toEqual(['one-a.js', 'one-b.js', 'two-c.js']);
});
