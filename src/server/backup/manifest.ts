/**
 * A backup is a folder of plain files: each table as gzipped PostgreSQL COPY text, the pictures (also those from S3)
 * and mails as in DATA_DIR, and manifest.json, which lists all files with their sha256. It is written under a temporary
 * name and renamed at the end, so a folder with a backup's name is complete.
 */
import { StartError } from '../core/startError';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type Part = { file: string; bytes: number; sha256: string };
export type TablePart = Part & { name: string; columns: string[]; rows: number };
export type Manifest = {
  format: typeof format;
  /** Who made it; backups of earlier versions don't say. */
  cause?: 'nightly' | 'asked' | 'command';
  /** By the database's clock. Everything committed before this time is included. */
  madeAt: string;
  /** The server's version, as it reports it. */
  postgres: string;
  /** The timestamps that identify the migrations in the database. */
  migrations: number[];
  tables: TablePart[];
  /** The last value used; null if there is none. */
  sequences: Record<string, string | null>;
  /** The waiting jobs. */
  jobs: Part & { count: number };
  /** Paths relative to DATA_DIR; those from S3 use the same names. */
  files: Part[];
};

export const format = 1;
export const manifestFile = 'manifest.json';
export const sumFile = 'manifest.json.sha256';

/** Writes one part to the disk. @param steps transforms of the content, such as gzip */
export async function writePart(folder: string, file: string, from: Readable, steps: Transform[] = []): Promise<Part> {
  const place = path.join(folder, file);
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  const sum = createSum();
  await pipeline([from, ...steps, sum.stream, createWriteStream(place, { mode: 0o600, flush: true })]);
  return { file, ...sum.result() };
}

/** The bytes of all parts. */
export const bytesOf = ({ tables, files, jobs }: Manifest): number =>
  [...tables, ...files, jobs].reduce((sum, part) => sum + part.bytes, 0);

/** The manifest is written last, with its own checksum in the format of `sha256sum -c`. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
  await writeFile(path.join(folder, manifestFile), text, { mode: 0o600, flush: true });
  await writeFile(path.join(folder, sumFile), `${sumOf(text)}  ${manifestFile}\n`, { mode: 0o600, flush: true });
}

/**
 * Reads and verifies a whole backup.
 * @throws an error that names the part that is missing or damaged
 */
export async function requireWhole(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const part of [...manifest.tables, manifest.jobs, ...manifest.files]) await requirePart(folder, part);
  return manifest;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, manifestFile), 'utf8').catch(() => undefined);
  if (text === undefined) throw new StartError(`${folder} isn't a backup: ${manifestFile} is missing`);
  const sum = await readFile(path.join(folder, sumFile), 'utf8').catch(() => '');
  if (!sum.startsWith(sumOf(text))) throw new StartError(damaged(folder, manifestFile));
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== format)
    throw new StartError(`${folder} was made by a different version of the shop. Restore it with that version`);
  return manifest;
}

async function requirePart(folder: string, { file, bytes, sha256 }: Part): Promise<void> {
  const sum = createSum();
  try {
    await pipeline(createReadStream(path.join(folder, file)), sum.stream.resume());
  } catch (error) {
    throw new StartError(`The backup is damaged: can't read ${file}`, { cause: error });
  }
  const found = sum.result();
  if (found.bytes !== bytes || found.sha256 !== sha256) throw new StartError(damaged(folder, file));
}

const damaged = (folder: string, file: string) =>
  `The backup in ${folder} is damaged: ${file} doesn't match its checksum`;

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Counts and hashes the bytes that pass through. */
function createSum() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(undefined, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
