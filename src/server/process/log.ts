/** The log: one JSON line per entry to standard output, written in batches. */
import { pino, type Logger } from 'pino';

const batchLength = 8192;
const flushEveryMs = 500;
/** While standard output is blocked, further lines are dropped and the shop keeps running. */
const maxBuffered = 16 * 1024 * 1024;

/** Buffered lines are written when the process ends, even after a crash. */
export const openLog = (level: string): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({
      sync: false,
      minLength: batchLength,
      maxLength: maxBuffered,
      periodicFlush: flushEveryMs,
    }),
  );
