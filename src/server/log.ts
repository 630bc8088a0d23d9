/** The log: one JSON line each to standard output, written in batches. */
import { write, writeSync } from 'node:fs';
import { pino, type DestinationStream, type Logger } from 'pino';

const standardOutput = 1;
const batchLength = 8192;
const longestWaitMs = 500;
const retryMs = 50;
/** While nobody takes the lines, later ones are dropped: the shop itself goes on. */
const mostWaiting = 16 * 1024 * 1024;

export const openLog = (level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, openBatches());

/**
 * Lines go out when there are enough of them, twice a second, and at the end: a write for each would cost as much as a
 * kept page, and pino's own destination twice what the line itself does.
 */
function openBatches(): DestinationStream {
  let waiting = '';
  let isWriting = false;

  function begin(): void {
    if (isWriting || waiting === '') return;
    isWriting = true;
    const batch = Buffer.from(waiting);
    waiting = '';
    send(batch);
  }

  function send(batch: Buffer): void {
    write(standardOutput, batch, (error, length) => {
      if (error?.code === 'EAGAIN') setTimeout(send, retryMs, batch).unref();
      else if (!error && length < batch.length) send(batch.subarray(length));
      else {
        isWriting = false;
        if (waiting.length >= batchLength) begin();
      }
    });
  }

  setInterval(begin, longestWaitMs).unref();
  process.on('exit', () => {
    try {
      if (waiting) writeSync(standardOutput, waiting);
    } catch {
      // nobody reads them any more
    }
  });
  return {
    write(line) {
      if (waiting.length < mostWaiting) waiting += line;
      if (waiting.length >= batchLength) begin();
    },
  };
}
