/** Another release of the shop beside the one under test: the same, but every file of the app has another name. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** @returns its folder, with the former release's files carried over as `npm run build` does it */
export async function buildNextRelease(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'shop-next-'));
  const dist = path.join(root, 'dist');
  await mkdir(dist);
  for (const part of ['server', 'render', 'web/assets']) {
    await cp(path.join('dist', part), path.join(dist, part), { recursive: true });
  }
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}');
  for (const folder of ['src', 'node_modules']) await symlink(path.resolve(folder), path.join(root, folder));
  await runNode(`
    import { build } from 'vite';
    import { carryOver, putAside } from ${JSON.stringify(path.resolve('src/tools/releases.mjs'))};
    const dist = ${JSON.stringify(dist)};
    await writeList(dist);
    await putAside(dist);
    const output = { hashCharacters: 'hex' };
    await build({ logLevel: 'error', build: { outDir: dist + '/web', rolldownOptions: { output } } });
    await carryOver(dist);
    async function writeList(dist) {
      const { readdir, writeFile } = await import('node:fs/promises');
      const files = (await readdir(dist + '/web/assets')).filter((name) => !/\\.(?:br|gz)$/.test(name)).sort();
      await writeFile(dist + '/releases.json', JSON.stringify([files]));
    }`);
  return root;
}

export const removeRelease = (root: string) => rm(root, { recursive: true, force: true });

function runNode(program: string) {
  const env = { ...process.env, NODE_ENV: 'production' };
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
}
