/**
 * Limits each caller of a process: calls in flight, calls of a kind per period, bytes saved for idempotency. The contract
 * assigns each operation its rate limit (`x-rate-limit`). db/core/turns.ts schedules the database connections.
 * Rule: docs/rules/running.md, Rate limits
 */
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { errorMessages } from '../../../shared/errorMessages';
import { runAs, isInRequest } from '../../db/core/fairPool';
import type { Caller } from '../../db/core/turns';
import {
  rateLimits,
  connectionLimits,
  queuedEndings,
  inFlight,
  type RateLimit,
  type RateLimitName,
} from './limitTable';
import { networkOf } from '../core/network';
import { tooManyRequests } from '../core/problems';

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** The part of a contract operation that the limits read. */
type Bound = { method: string; operation: { 'x-rate-limit'?: RateLimitName } };

/** The contract's `x-rate-limit`, or a default by method. */
export const rateLimitOf = ({ operation, method }: Bound): RateLimitName =>
  operation['x-rate-limit'] ?? (isRead(method) ? 'read' : 'change');

/** Limits that count only cache misses: the handlers call `run` themselves on a miss. */
export const spentOnMiss: ReadonlySet<RateLimitName> = new Set(['list', 'search', 'page']);
const endings: ReadonlySet<RateLimitName> = new Set(['ending', 'provider']);

export type RateLimits = ReturnType<typeof createRateLimits>;
/** `network` also names the operation, so that visitors' calls of one kind do not count against another. */
type Requester = { user: string | undefined; network: string };

/** Counts for one process only: with several, each has its own counts. */
export function createRateLimits() {
  const limiters = new Map<string, RateLimiterMemory>();
  const counts = new Map<string, number>(); // calls in flight

  function limiterOf(name: RateLimitName, scope: 'perUser' | 'perNetwork'): RateLimiterMemory | undefined {
    const { [scope]: points, seconds }: RateLimit = rateLimits[name];
    if (points === undefined || seconds === undefined) return undefined;
    const key = `${name} ${scope}`;
    const limiter = limiters.get(key) ?? new RateLimiterMemory({ points, duration: seconds });
    limiters.set(key, limiter);
    return limiter;
  }

  /** @throws Problem 429 too_many_requests */
  async function spend(name: RateLimitName, { user, network }: Requester): Promise<void> {
    const limiter = limiterOf(name, user === undefined ? 'perNetwork' : 'perUser');
    await limiter?.consume(user ?? network).catch((refused: unknown) => {
      throw refused instanceof RateLimiterRes ? tooOften(refused.msBeforeNext) : refused;
    });
  }

  /** @throws Problem 429 too_many_requests */
  async function countInFlight<T>({ user, network }: Requester, work: () => Promise<T>): Promise<T> {
    const key = user ?? network;
    const now = counts.get(key) ?? 0;
    if (now >= (user === undefined ? inFlight.ofNetwork : inFlight.ofUser)) throw tooOften(1_000);
    counts.set(key, now + 1);
    try {
      return await work();
    } finally {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
  }

  async function refuseSpent(name: RateLimitName, { user }: Requester): Promise<void> {
    const limiter = limiterOf(name, 'perUser');
    const spent = user === undefined ? null : await limiter?.get(user);
    if (spent && spent.remainingPoints <= 0) throw tooOften(spent.msBeforeNext);
  }

  return {
    /** Runs a call within its caller's limits. @throws Problem 429 too_many_requests */
    async run<T>(request: FastifyRequest, bound: Bound, work: () => Promise<T>): Promise<T> {
      if (isInRequest()) return work();
      const name = rateLimitOf(bound);
      const requester = requesterOf(request);
      if (name === 'signed' || name === 'session') return runAs(callerOf(request, bound), work);
      return countInFlight(requester, async () => {
        await spend(name, requester);
        if (savesResponse(request)) await refuseSpent('kept', requester);
        return runAs(callerOf(request, bound), work);
      });
    },
    /** Looks up the session. The caller is not known yet, so the network takes the turn. */
    lookUp<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
      const network = networkOf(request.ip);
      const most = connectionLimits.visitors;
      return runAs({ key: `${network} sessions`, network, most, rank: 'user', keeps: queuedEndings }, work);
    },
    /**
     * Renders a page, or handles a page's form, within the limits of the visitor's network.
     * @throws Problem 429 too_many_requests
     */
    async draw<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
      const network = networkOf(request.ip);
      const key = `${network} page`;
      const requester = { user: undefined, network: key };
      return countInFlight(requester, async () => {
        await spend('page', requester);
        return runAs({ key, network, most: connectionLimits.visitors, rank: 'visitor' }, work);
      });
    },
    /** Counts the bytes of a response saved under an Idempotency-Key, against the next calls. */
    note(request: FastifyRequest, bytes: number): void {
      if (savesResponse(request)) void limiterOf('kept', 'perUser')?.penalty(request.session?.userId ?? '', bytes);
    },
  };
}

const savesResponse = ({ headers, session }: FastifyRequest): boolean =>
  session !== undefined && headers['idempotency-key'] !== undefined;

const requesterOf = ({ session, ip, routeOptions }: FastifyRequest): Requester => ({
  user: session?.userId,
  network: `${networkOf(ip)} ${routeOptions.config.operationId ?? ''}`,
});

/**
 * The caller for database connections. Calls that finish an order have a separate queue, so they do not wait behind the
 * caller's reads.
 */
function callerOf(request: FastifyRequest, bound: Bound): Caller {
  const { session, ip } = request;
  const network = networkOf(ip);
  const name = rateLimitOf(bound);
  // only the payment provider gets here, and its events are never rejected under load
  if (name === 'signed') return { ...visitorsOf(request, network), rank: 'user', keeps: Infinity };
  if (endings.has(name)) {
    const asked = session
      ? ({ key: `${session.userId} endings`, network, rank: 'user' } as const)
      : visitorsOf(request, network);
    return { ...asked, most: connectionLimits.endings, keeps: queuedEndings };
  }
  if (!session) return visitorsOf(request, network);
  const { userId, role } = session;
  const isChange = role === 'ROLE_CUSTOMER' && !isRead(bound.method);
  const key = isChange ? `${userId} changes` : userId;
  const most = isChange ? connectionLimits.changesOfCustomer : connectionLimits.user;
  return { key, network, most, rank: 'user' };
}

/** All visitors of a network that call the same operation. */
const visitorsOf = ({ routeOptions }: FastifyRequest, network: string): Caller => ({
  key: `${network} ${routeOptions.config.operationId ?? ''}`,
  network,
  most: connectionLimits.visitors,
  rank: 'visitor',
});

const tooOften = (waitMs: number) => tooManyRequests(waitMs / 1000, errorMessages.tooOften);
