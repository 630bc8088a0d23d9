/**
 * The shop's one clock: every time that is written or compared comes from it, as a parameter. It is the process's clock
 * corrected to the database's, so that several processes agree; tests can move it.
 */
import type pg from 'pg';

export type Clock = {
  now: () => Date;
  /** For tests. @param ms milliseconds, forward or back */
  advance: (ms: number) => void;
};

const correctEveryMs = 60_000;

/** @returns a clock that follows the database's until `stop` is called */
export async function startClock(pool: pg.Pool): Promise<Clock & { stop: () => void }> {
  let offsetMs = 0;
  let movedMs = 0;
  const correct = async () => {
    const askedAt = Date.now();
    const { rows } = await pool.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now');
    const answeredAt = Date.now();
    // the database read its clock about half a round trip ago
    offsetMs = Number(rows[0]?.now) - (askedAt + answeredAt) / 2;
  };
  await correct();
  // after an error the previous offset stays
  const timer = setInterval(() => void correct().catch(() => undefined), correctEveryMs);
  timer.unref();
  return {
    now: () => new Date(Date.now() + offsetMs + movedMs),
    advance: (ms) => {
      movedMs += ms;
    },
    stop: () => clearInterval(timer),
  };
}
