/** Another release of the shop beside the one under test: the same, but every file of the app has another name. */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The API of src/tools/releases.mjs, which is plain Node. */
type Releases = Record<'putAside' | 'carryOver', (dist: string) => Promise<void>>;

/**
 * Created from the built files by renaming, since another build takes as long as a test.
 * @returns its folder, with the former release's files carried over as `npm run build` does it
 */
export async function makeNextRelease(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'shop-next-'));
  const [dist, web] = [path.join(root, 'dist'), path.join(root, 'dist/web')];
  await mkdir(dist);
  for (const part of ['server', 'render'])
    await cp(path.join('dist', part), path.join(dist, part), { recursive: true });
  // without the compressed forms, which contain the former names; the server does without them
  await cp('dist/web', web, { recursive: true, filter: (file) => !/\.(?:br|gz)$/.test(file) });
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}');
  for (const folder of ['src', 'node_modules']) await symlink(path.resolve(folder), path.join(root, folder));
  const former = (await readdir(path.join(web, 'assets'))).sort();
  await writeFile(path.join(dist, 'releases.json'), JSON.stringify([former]));
  const { putAside, carryOver } = (await import(pathToFileURL('src/tools/releases.mjs').href)) as Releases;
  await putAside(dist);
  await renameAll(web, former);
  await carryOver(dist);
  return root;
}

export const removeRelease = (root: string) => rm(root, { recursive: true, force: true });

/** Renames all files of the app, wherever they are referenced, and updates the hashes in the worker. */
async function renameAll(web: string, former: readonly string[]): Promise<void> {
  const next = new Map(former.map((name) => [name, nextName(name)]));
  const known = new RegExp(former.map((name) => name.replaceAll('.', String.raw`\.`)).join('|'), 'g');
  const hashes = new Map<string, string>();
  const renamed = async (file: string): Promise<Buffer> => {
    const before = await readFile(path.join(web, file));
    if (!/\.(?:js|css|html|json)$/.test(file)) return before;
    const after = Buffer.from(before.toString().replace(known, (name) => next.get(name) ?? name));
    for (const hash of [integrityOf, revisionOf]) hashes.set(hash(before), hash(after));
    return after;
  };
  for (const [name, wanted] of next) {
    const content = await renamed(`assets/${name}`);
    await rm(path.join(web, 'assets', name));
    await writeFile(path.join(web, 'assets', wanted), content);
  }
  for (const file of ['index.html', '.vite/manifest.json']) await writeFile(path.join(web, file), await renamed(file));
  const worker = String(await renamed('sw.js'));
  await writeFile(
    path.join(web, 'sw.js'),
    worker.replace(/(?<=")(?:sha256-)?[\w+/=]{32,44}(?=")/g, (hash) => hashes.get(hash) ?? hash),
  );
}

/** Replaces the build's hash at the end of the name; most names are nothing but it. */
const nextName = (name: string) =>
  name.replace(/(^|-)[\w-]{8}(?=\.\w+$)/, `$1${createHash('sha256').update(name).digest('hex').slice(0, 8)}`);

/** As vite.config.ts writes it into the worker. */
const integrityOf = (content: Buffer) => `sha256-${createHash('sha256').update(content).digest('base64')}`;
/** As Workbox does. */
const revisionOf = (content: Buffer) => createHash('md5').update(content).digest('hex');
