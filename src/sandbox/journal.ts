/**
 * An append-only file of lines. A line is either there whole or, after a crash, not at all, and `synced` resolves once
 * everything appended so far is on the disk. Lines that arrive while a sync runs share the next one (group commit).
 */
import { open, readFile, rename, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';

export type Journal = {
  append(line: string): void;
  /** Resolves when all lines appended before the call are on the disk; rejects for good once a write has failed. */
  synced(): Promise<void>;
  close(): Promise<void>;
};

type Batch = { lines: string[]; done: Promise<void>; resolve: () => void; reject: (reason: unknown) => void };

/**
 * Reads the journal, cuts off a last line that a crash left half written, and opens it for appending.
 * @param replay is given each line in order; what it throws counts as a damaged line
 * @throws Error in one sentence when a line before the last is damaged
 */
export async function openJournal(path: string, replay: (line: string) => void): Promise<Journal> {
  const file = await open(path, 'a', 0o600);
  const content = await readFile(path);
  const soundBytes = replayLines(content, path, replay);
  if (soundBytes < content.length) await truncate(path, soundBytes);
  await file.sync();
  await syncFolder(dirname(path));

  let next = newBatch();
  let writing: Batch | undefined;

  async function writeBatches(): Promise<void> {
    while (next.lines.length > 0) {
      const batch = next;
      writing = batch;
      next = newBatch();
      try {
        await file.appendFile(batch.lines.join(''));
        await file.datasync();
        batch.resolve();
      } catch (error) {
        batch.reject(error);
        next.reject(error);
        return; // `writing` stays on the failed batch: from here on nothing is promised
      }
    }
    writing = undefined;
  }

  async function synced(): Promise<void> {
    await (next.lines.length > 0 ? next.done : writing?.done);
  }

  return {
    append(line) {
      next.lines.push(`${line}\n`);
      if (!writing) void writeBatches();
    },
    synced,
    async close() {
      try {
        await synced();
      } finally {
        await file.close();
      }
    },
  };
}

/** Puts another content in the journal's place. After a crash there is either the old one or the new one, whole. */
export async function replaceJournal(path: string, lines: Iterable<string>): Promise<void> {
  const aside = `${path}.new`;
  const file = await open(aside, 'w', 0o600);
  try {
    let text = '';
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length < 1_000_000) continue;
      await file.appendFile(text);
      text = '';
    }
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
  await syncFolder(dirname(path));
}

/** Gives each whole line to `replay`. @returns how many bytes of the file are sound */
function replayLines(content: Buffer, path: string, replay: (line: string) => void): number {
  let start = 0;
  for (let end = content.indexOf('\n'); end !== -1; end = content.indexOf('\n', start)) {
    try {
      replay(content.toString('utf8', start, end));
    } catch (error) {
      const isLast = content.indexOf('\n', end + 1) === -1;
      if (isLast) return start;
      throw new Error(`The journal ${path} is damaged at byte ${start}.`, { cause: error });
    }
    start = end + 1;
  }
  return start;
}

/** A new file's name is on the disk only when its folder is (not everywhere can a folder be opened). */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function newBatch(): Batch {
  let resolve: () => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const done = new Promise<void>((onDone, onFailure) => {
    resolve = onDone;
    reject = onFailure;
  });
  done.catch(() => undefined); // whoever waits gets the reason; nobody has to wait
  return { lines: [], done, resolve, reject };
}
