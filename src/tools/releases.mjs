/**
 * Keeps the files of earlier releases. A page opened before a release still requests its own files afterwards, so each
 * build also gets the files of the two releases before it, as long as the folder `dist` exists. dist/releases.json lists
 * the files of each release, newest first.
 */
import { existsSync } from 'node:fs';
import { copyFile, cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const releasesToKeep = 3;

/** Saves the files before a build empties its folder. @param dist the folder of all builds */
export async function putAside(dist) {
  const { assets, aside } = pathsIn(dist);
  if (!existsSync(assets) || existsSync(aside)) return; // saved before a build that failed
  await rm(`${aside}.new`, { recursive: true, force: true });
  await cp(assets, `${aside}.new`, { recursive: true });
  await rename(`${aside}.new`, aside); // the folder appears complete or not at all
}

/** Puts the saved files back after the build and its compression. @param dist the folder of all builds */
export async function carryOver(dist) {
  const { assets, aside, list } = pathsIn(dist);
  const built = [...new Set((await readdir(assets)).map(plainName))].sort((one, other) => (one < other ? -1 : 1));
  const known = await readList(list);
  const releases = [built, ...known.filter((files) => files.join() !== built.join())].slice(0, releasesToKeep);
  const wanted = new Set(releases.flat().filter((name) => !built.includes(name)));
  for (const name of existsSync(aside) ? await readdir(aside) : [])
    if (wanted.has(plainName(name))) await copyFile(path.join(aside, name), path.join(assets, name));
  await writeFile(list, JSON.stringify(releases));
  await rm(aside, { recursive: true, force: true });
}

const pathsIn = (dist) => ({
  assets: path.join(dist, 'web/assets'),
  aside: path.join(dist, 'carried'),
  list: path.join(dist, 'releases.json'),
});

/** The file name without the extension of its compressed form. */
const plainName = (name) => name.replace(/\.(?:br|gz)$/, '');

/** The list of releases; empty before the first build, or if writing it was interrupted. */
async function readList(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return [];
  }
}
