/** One run of a measurement: calls per second, the time of each, and the processor time that it took. */
import autocannon, { type Request } from 'autocannon';
import { cpuMsOf, type Measured } from './cpu';

export type Run = { perSecond: number; p50Ms: number; p99Ms: number; calls: number; cpuMs: number };
export type Extent = { seconds: number } | { requests: number };

type Sent = { headers?: Record<string, string>; next?: () => Request };

/**
 * Sends over HTTP, each connection one request after the other.
 * @param sent the request, or a function that makes each request
 * @throws Error when any answer is not a success
 */
export async function overHttp(url: string, connections: number, extent: Extent, sent: Sent = {}): Promise<Run> {
  const { headers, next } = sent;
  const durationsMs: number[] = [];
  const began = performance.now();
  let endedAt = began;
  const sending = autocannon({
    url,
    connections,
    ...('seconds' in extent ? { duration: extent.seconds } : { amount: extent.requests }),
    ...(headers && { headers }),
    ...(next && { requests: [{ setupRequest: next }] }),
  });
  sending.on('response', (_client: unknown, _status: number, _bytes: number, durationMs: number) => {
    durationsMs.push(durationMs);
    endedAt = performance.now();
  });
  const { errors, timeouts, non2xx } = await sending;
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} answers that are no success`);
  return summarize(durationsMs, endedAt - began);
}

/** Measures work without HTTP: parallel loops, each doing one call after the other. */
export async function inProcess(parallel: number, times: number, work: () => Promise<unknown>): Promise<Run> {
  const durationsMs: number[] = [];
  const began = performance.now();
  let begun = 0;
  const worker = async () => {
    while (begun++ < times) {
      const at = performance.now();
      await work();
      durationsMs.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return summarize(durationsMs, performance.now() - began);
}

function summarize(durationsMs: number[], tookMs: number): Run {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return {
    perSecond: (sorted.length / tookMs) * 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    calls: sorted.length,
    cpuMs: NaN,
  };
}

/** The median of each number, so that a run that another program disturbed does not count. */
export function medianOf(runs: readonly Run[]): Run {
  const middle = (value: (run: Run) => number) => runs.map(value).toSorted((a, b) => a - b)[runs.length >> 1] ?? NaN;
  return {
    perSecond: middle((run) => run.perSecond),
    p50Ms: middle((run) => run.p50Ms),
    p99Ms: middle((run) => run.p99Ms),
    calls: middle((run) => run.calls),
    cpuMs: middle((run) => run.cpuMs),
  };
}

/** The same run with the processor time of each call. @param measured whose time counts */
export async function withCpu(measured: Measured, work: () => Promise<Run>): Promise<Run> {
  const before = cpuMsOf(measured);
  const run = await work();
  return { ...run, cpuMs: (cpuMsOf(measured) - before) / run.calls };
}
