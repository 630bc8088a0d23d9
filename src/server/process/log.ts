/** The log: one JSON line each to standard output, written in batches. */
import { pino, type Logger } from 'pino';

const batchLength = 8192;
const longestWaitMs = 500;
/** While nobody takes the lines, later ones are dropped: the shop itself goes on. */
const mostWaiting = 16 * 1024 * 1024;

/** What still waits is written when the process ends, also after a crash. */
export const openLog = (level: string): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({
      sync: false,
      minLength: batchLength,
      maxLength: mostWaiting,
      periodicFlush: longestWaitMs,
    }),
  );
