/** How fast a network gets its 429 responses. Rule: docs/rules/running.md, Rate limits */
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientErrorPace, errorPace as pace } from '../../../src/server/http/limits/limitTable';
import { TooManyWaiting } from '../../../src/server/db/core/errors';
import { answerWithProblems, tooManyRequests, unauthenticated } from '../../../src/server/http/core/problems';
import { createTarpit, delayErrors } from '../../../src/server/http/limits/tarpit';

describe('the pace of rejections', () => {
  const takesMs = 1_000 / pace.perSecond;
  const mostWaiting = pace.burst + pace.waitsAtMostMs / takesMs;

  /** How long each of this many simultaneous rejections waits. */
  const waits = (of: (network: string, nowMs: number) => number | undefined, times: number, nowMs = 0) =>
    Array.from({ length: times }, () => of('192.0.2.1', nowMs));

  test('the first ones are immediate, and the next ones come one after the other', () => {
    const said = waits(createTarpit(pace), pace.burst + 4);
    expect(said.slice(0, pace.burst + 1).every((waitMs) => waitMs === 0)).toBe(true);
    expect(said.slice(pace.burst + 1)).toEqual([takesMs, 2 * takesMs, 3 * takesMs]);
  });

  test('another network does not wait for them', () => {
    const of = createTarpit(pace);
    waits(of, pace.burst + 100);
    expect(of('192.0.2.2', 0)).toBe(0);
  });

  test('none waits longer than the limit: beyond it the response is immediate and the connection is closed', () => {
    const said = waits(createTarpit(pace), mostWaiting + 100);
    expect(said.indexOf(undefined)).toBe(mostWaiting + 1);
    expect(Math.max(...said.slice(0, mostWaiting).map(Number))).toBeLessThanOrEqual(pace.waitsAtMostMs);
  });

  test('a network that pauses gets immediate ones again', () => {
    const of = createTarpit(pace);
    waits(of, mostWaiting);
    expect(of('192.0.2.1', pace.waitsAtMostMs + pace.burst * takesMs)).toBe(0);
  });
});

/** Takes two seconds to reject: longer than a busy machine needs to ask. */
const many = pace.burst + 100;

describe('a shop that one network floods', () => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = fastify({ forceCloseConnections: true });
    answerWithProblems(app);
    delayErrors(app);
    app.get('/refused', () => {
      throw tooManyRequests(1, 'Later, please');
    });
    app.get('/probe', { config: { isProbe: true } }, (_request, reply) => reply.code(503).send({}));
    app.get('/served', () => ({ served: true }));
    app.get('/wrong', () => {
      throw unauthenticated();
    });
    await app.ready();
  });
  afterEach(() => app.close());

  const ask = (url: string, remoteAddress: string) => app.inject({ url, remoteAddress });
  /** @returns the responses, and a count of those received so far */
  function flood(remoteAddress: string) {
    const seen = { answered: 0 };
    const answers = Array.from({ length: many }, async () => {
      const answer = await ask('/refused', remoteAddress);
      seen.answered++;
      return answer.statusCode;
    });
    return { seen, answers: Promise.all(answers) };
  }

  test('serves it and the others meanwhile, and every rejection arrives', async () => {
    const { seen, answers } = flood('192.0.2.1');
    const meanwhile = [
      await ask('/served', '192.0.2.1'),
      await ask('/refused', '192.0.2.2'),
      await ask('/probe', '192.0.2.1'),
    ];
    expect(meanwhile.map(({ statusCode }) => statusCode)).toEqual([200, 429, 503]);
    expect(seen.answered).toBeLessThan(many);
    expect(new Set(await answers)).toEqual(new Set([429]));
  });

  test('sends all waiting rejections when it closes', async () => {
    const { seen, answers } = flood('192.0.2.1');
    await ask('/served', '192.0.2.2');
    await app.close();
    expect(new Set(await answers)).toEqual(new Set([429]));
    expect(seen.answered).toBe(many);
  });

  test('paces invalid calls too, and serves others meanwhile', async () => {
    const begun = performance.now();
    const wrong = Array.from({ length: clientErrorPace.burst + 100 }, () => ask('/wrong', '192.0.2.7'));
    expect((await ask('/refused', '192.0.2.7')).statusCode).toBe(429);
    expect((await ask('/wrong', '192.0.2.8')).statusCode).toBe(401);
    const othersWaitedMs = performance.now() - begun;
    const answers = await Promise.all(wrong);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
    const allMs = performance.now() - begun;
    expect(allMs).toBeGreaterThan((1_000 * 90) / clientErrorPace.perSecond);
    expect(othersWaitedMs).toBeLessThan(allMs);
  });

  test('logs what it disconnects as a line without a stack', async () => {
    const lines: string[] = [];
    const own = fastify({ logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } } });
    answerWithProblems(own);
    own.get('/shed', () => {
      throw new Error('a query', { cause: new TooManyWaiting() });
    });
    expect((await own.inject('/shed')).statusCode).toBe(503);
    await own.close();
    const [told, ...others] = lines.filter((line) => line.includes('sent away'));
    expect(others).toEqual([]);
    expect(told).not.toContain('stack');
    expect(lines.join('\n')).not.toContain('request failed');
  });
});
