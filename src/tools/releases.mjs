/**
 * The files of earlier releases. A page that is open while a new release is built still asks for its own parts later, so
 * the files of the two releases before it are carried into each new build, for as long as the folder `dist` is there.
 * Which files a release is made of stands in dist/releases.json, the newest release first.
 */
import { existsSync } from 'node:fs';
import { copyFile, cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const releasesToKeep = 3;

/** Call it before a build, which empties its folder. @param dist the folder of all builds */
export async function putAside(dist) {
  const { assets, aside } = places(dist);
  if (!existsSync(assets) || existsSync(aside)) return; // there: the build after it failed, and what it left is less
  await rm(`${aside}.new`, { recursive: true, force: true });
  await cp(assets, `${aside}.new`, { recursive: true });
  await rename(`${aside}.new`, aside); // whole, or not there
}

/** Call it when the build is done, its files compressed. @param dist the folder of all builds */
export async function carryOver(dist) {
  const { assets, aside, list } = places(dist);
  const built = [...new Set((await readdir(assets)).map(plainName))].sort((one, other) => (one < other ? -1 : 1));
  const known = await readList(list);
  const releases = [built, ...known.filter((files) => files.join() !== built.join())].slice(0, releasesToKeep);
  const wanted = new Set(releases.flat().filter((name) => !built.includes(name)));
  for (const name of existsSync(aside) ? await readdir(aside) : [])
    if (wanted.has(plainName(name))) await copyFile(path.join(aside, name), path.join(assets, name));
  await writeFile(list, JSON.stringify(releases));
  await rm(aside, { recursive: true, force: true });
}

const places = (dist) => ({
  assets: path.join(dist, 'web/assets'),
  aside: path.join(dist, 'carried'),
  list: path.join(dist, 'releases.json'),
});

/** Of a file, or of its compressed form beside it. */
const plainName = (name) => name.replace(/\.(?:br|gz)$/, '');

/** The first build has no release before it; a list that was cut off while written counts as none. */
async function readList(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return [];
  }
}
