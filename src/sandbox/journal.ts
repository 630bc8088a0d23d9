/**
 * An append-only file of lines. After a crash a line is there whole or not at all, and `synced` resolves once everything
 * appended so far is on disk. Lines that arrive during a sync share the next one (group commit).
 *
 * A failed write (the disk is full) undoes everything that is not on disk: the part that reached the file is truncated, and
 * each line appended since is undone, last one first. Later lines are written as usual, so the journal recovers by itself
 * once there is space again.
 */
import { open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

export type Journal = {
  /** @param undo undoes the change that the line describes; called when the line cannot be written */
  append(line: string, undo: () => void): void;
  /** Resolves when all lines appended before the call are on disk; rejects when they were undone. */
  synced(): Promise<void>;
  close(): Promise<void>;
};

type Line = { text: string; undo: () => void };
type Batch = { lines: Line[]; done: Promise<void>; resolve: () => void; reject: (reason: unknown) => void };

/**
 * Reads the journal, truncates a last line that a crash left half written, and opens it for appending.
 * @param replay gets each line in order; an error that it throws marks the line as damaged
 * @throws Error in one sentence when a line before the last is damaged
 */
export async function openJournal(path: string, replay: (line: string) => void): Promise<Journal> {
  const file = await open(path, 'a', 0o600);
  const soundBytes = await readSound(file, path, replay).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  const disk = createAppender(file, soundBytes);
  let next = newBatch();
  let writing: Batch | undefined;
  let isWriting = false;

  async function writeBatches(): Promise<void> {
    isWriting = true;
    while (next.lines.length > 0) {
      const batch = next;
      writing = batch;
      next = newBatch();
      try {
        await disk.append(batch.lines.map((line) => line.text).join(''));
        batch.resolve();
      } catch (error) {
        undoBatch(batch, error);
        writing = undefined;
        await disk.repair();
      }
    }
    writing = undefined;
    isWriting = false;
  }

  /** Later lines may depend on the failed batch, so they are undone too. */
  function undoBatch(batch: Batch, reason: unknown): void {
    const later = next;
    next = newBatch();
    for (const { undo } of [...batch.lines, ...later.lines].toReversed()) undo();
    batch.reject(reason);
    later.reject(reason);
  }

  async function synced(): Promise<void> {
    await (next.lines.length > 0 ? next.done : writing?.done);
  }

  return {
    append(line, undo) {
      next.lines.push({ text: `${line}\n`, undo });
      if (!isWriting) void writeBatches();
    },
    synced,
    async close() {
      try {
        await synced();
      } finally {
        await disk.repair();
        await file.close();
      }
    },
  };
}

/** Appends to a file whose first `soundBytes` are valid and on disk, and truncates what a failed write left after them. */
function createAppender(file: FileHandle, soundBytes: number) {
  let bytesOnDisk = soundBytes;
  let mayBeTorn = false; // the file may be longer than `bytesOnDisk`

  async function truncateTail(): Promise<void> {
    await file.truncate(bytesOnDisk);
    await file.datasync();
    mayBeTorn = false;
  }
  return {
    async append(text: string): Promise<void> {
      if (mayBeTorn) await truncateTail();
      mayBeTorn = true;
      await file.appendFile(text);
      await file.datasync();
      mayBeTorn = false;
      bytesOnDisk += Buffer.byteLength(text);
    },
    /** If the file cannot be truncated now, that happens before the next line. */
    async repair(): Promise<void> {
      if (mayBeTorn) await truncateTail().catch(() => undefined);
    },
  };
}

/** Replaces the journal's content. After a crash the file has either all of the old content or all of the new. */
export async function replaceJournal(path: string, lines: Iterable<string>): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
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
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Truncates a damaged end. @returns the length of the file in bytes */
async function readSound(file: FileHandle, path: string, replay: (line: string) => void): Promise<number> {
  const content = await readFile(path);
  const soundBytes = replayLines(content, path, replay);
  if (soundBytes < content.length) await file.truncate(soundBytes);
  await file.sync();
  await syncFolder(dirname(path));
  return soundBytes;
}

/** Passes each whole line to `replay`. @returns how many bytes of the file are valid */
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

/** A new file's name is on disk only once its folder is synced (some systems cannot open a folder). */
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
  done.catch(() => undefined); // waiters still get the error; without waiters this prevents an unhandled rejection
  return { lines: [], done, resolve, reject };
}
