/**
 * A backup is a folder of plain files: each table as PostgreSQL's own COPY text in gzip, the pictures and mails as they
 * lie in DATA_DIR (pictures also where they lie in S3), and manifest.json, which says what there must be and the sha256 of each. It is written under another
 * name and renamed at the end, so a folder that has a backup's name is whole.
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
  /** By the database's clock: what was committed before is in it. */
  madeAt: string;
  /** The server's version, as it says it. */
  postgres: string;
  /** When each migration was written, which is how the database remembers them. */
  migrations: number[];
  tables: TablePart[];
  /** The last value that was given out; null when none was. */
  sequences: Record<string, string | null>;
  /** What waits in the job queue. */
  jobs: Part & { count: number };
  /** Below DATA_DIR; what S3 keeps of them is called the same. */
  files: Part[];
};

export const format = 1;
const manifestFile = 'manifest.json';
const sumFile = 'manifest.json.sha256';

/** Writes one part to the disk. @param steps what the content goes through before, as gzip */
export async function writePart(folder: string, file: string, from: Readable, steps: Transform[] = []): Promise<Part> {
  const place = path.join(folder, file);
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  const sum = createSum();
  await pipeline([from, ...steps, sum.stream, createWriteStream(place, { mode: 0o600, flush: true })]);
  return { file, ...sum.result() };
}

/** The manifest comes last, with a sum of its own in the form that `sha256sum -c` reads. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
  await writeFile(path.join(folder, manifestFile), text, { mode: 0o600, flush: true });
  await writeFile(path.join(folder, sumFile), `${sumOf(text)}  ${manifestFile}\n`, { mode: 0o600, flush: true });
}

/**
 * Reads a backup through to the end.
 * @throws a sentence that names the part that is missing or not as it was written
 */
export async function requireWhole(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const part of [...manifest.tables, manifest.jobs, ...manifest.files]) await requirePart(folder, part);
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, manifestFile), 'utf8').catch(() => undefined);
  if (text === undefined) throw new StartError(`${folder} is no backup: it has no ${manifestFile}`);
  const sum = await readFile(path.join(folder, sumFile), 'utf8').catch(() => '');
  if (!sum.startsWith(sumOf(text))) throw new StartError(damaged(folder, manifestFile));
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== format)
    throw new StartError(`${folder} was made by another version of the shop: use that one`);
  return manifest;
}

async function requirePart(folder: string, { file, bytes, sha256 }: Part): Promise<void> {
  const sum = createSum();
  try {
    await pipeline(createReadStream(path.join(folder, file)), sum.stream.resume());
  } catch (error) {
    throw new StartError(`The backup is damaged: ${file} cannot be read`, { cause: error });
  }
  const found = sum.result();
  if (found.bytes !== bytes || found.sha256 !== sha256) throw new StartError(damaged(folder, file));
}

const damaged = (folder: string, file: string) =>
  `The backup in ${folder} is damaged: ${file} is not as it was written`;

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Counts and sums what flows through. */
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
