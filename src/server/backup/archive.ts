/** A backup's folder as one tar file, written while it is read. */
import path from 'node:path';
import { Readable } from 'node:stream';
import { create } from 'tar';
import { manifestFile, readManifest, sumFile } from './manifest';

/**
 * @param folder a complete backup; `tar -xf` makes a folder of the same name
 * @throws an error when it is none
 */
export async function openArchive(folder: string): Promise<Readable> {
  const { tables, jobs, files } = await readManifest(folder);
  const names = [manifestFile, sumFile, ...[...tables, jobs, ...files].map(({ file }) => file)];
  const cwd = path.dirname(folder);
  const archive = create(
    { cwd, portable: true, strict: true },
    names.map((name) => path.join(path.basename(folder), name)),
  );
  return Readable.from(archive, { objectMode: false });
}
