/**
 * An append-only file of lines. A line is either there whole or, after a crash, not at all, and `synced` resolves once
 * everything appended so far is on the disk. Lines that arrive while a sync runs share the next one (group commit).
 *
 * A write that fails (the disk is full) takes back all that is not on the disk: whatever of it reached the file is cut
 * off, and each line that was appended since is undone, the last one first. The next line is written as if nothing had
 * happened, so the journal goes on by itself once there is room again.
 */
import { open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

export type Journal = {
  /** @param undo takes back what the line tells; called when it cannot be written */
  append(line: string, undo: () => void): void;
  /** Resolves when all lines appended before the call are on the disk; rejects when they were taken back. */
  synced(): Promise<void>;
  close(): Promise<void>;
};

type Line = { text: string; undo: () => void };
type Batch = { lines: Line[]; done: Promise<void>; resolve: () => void; reject: (reason: unknown) => void };

/**
 * Reads the journal, cuts off a last line that a crash left half written, and opens it for appending.
 * @param replay is given each line in order; what it throws counts as a damaged line
 * @throws Error in one sentence when a line before the last is damaged
 */
export async function openJournal(path: string, replay: (line: string) => void): Promise<Journal> {
  const file = await open(path, 'a', 0o600);
  const soundBytes = await readSound(file, path, replay).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  let next = newBatch();
  let writing: Batch | undefined;
  let isAtWork = false;
  let bytesOnDisk = soundBytes;
  let mayBeTorn = false; // there may be more in the file than is on record

  async function write(batch: Batch): Promise<void> {
    if (mayBeTorn) await cutOff();
    const text = batch.lines.map((line) => line.text).join('');
    mayBeTorn = true;
    await file.appendFile(text);
    await file.datasync();
    mayBeTorn = false;
    bytesOnDisk += Buffer.byteLength(text);
  }

  async function cutOff(): Promise<void> {
    await file.truncate(bytesOnDisk);
    await file.datasync();
    mayBeTorn = false;
  }

  async function writeBatches(): Promise<void> {
    isAtWork = true;
    while (next.lines.length > 0) {
      const batch = next;
      writing = batch;
      next = newBatch();
      try {
        await write(batch);
        batch.resolve();
      } catch (error) {
        takeBack(batch, error);
        writing = undefined;
        if (mayBeTorn) await cutOff().catch(() => undefined); // tried again before the next line
      }
    }
    writing = undefined;
    isAtWork = false;
  }

  /** What came after the batch may rest on it, so it goes too. */
  function takeBack(batch: Batch, reason: unknown): void {
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
      if (!isAtWork) void writeBatches();
    },
    synced,
    async close() {
      try {
        await synced();
      } finally {
        if (mayBeTorn) await cutOff().catch(() => undefined);
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

/** @returns the length of what is sound, which is all that the file holds then */
async function readSound(file: FileHandle, path: string, replay: (line: string) => void): Promise<number> {
  const content = await readFile(path);
  const soundBytes = replayLines(content, path, replay);
  if (soundBytes < content.length) await file.truncate(soundBytes);
  await file.sync();
  await syncFolder(dirname(path));
  return soundBytes;
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
