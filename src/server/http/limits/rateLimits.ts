/**
 * What a caller may ask of a process, so that nobody spoils the shop for the others: calls under way, calls of a kind in
 * a time, bytes that are kept of them. Which budget an operation is counted in is said by the contract (`x-budget`). Whose
 * turn it is for a database connection is db/turns.ts's to say.
 * Rule: docs/rules/running.md, Budgets
 */
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refusals } from '../../../shared/errorMessages';
import { callAs, isInCall } from '../../db/core/fairPool';
import type { Caller } from '../../db/core/turns';
import { budgets, connectionsOf, endingsKept, underWay, type Budget, type BudgetName } from './limitTable';
import { networkOf } from '../core/network';
import { tooManyRequests } from '../core/problems';

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** What the limits read of an operation of the contract. */
type Bound = { method: string; operation: { 'x-budget'?: BudgetName } };

/** The contract's `x-budget`, else by the method. */
export const budgetOf = ({ operation, method }: Bound): BudgetName =>
  operation['x-budget'] ?? (isRead(method) ? 'read' : 'change');

/** Those whose budget is spent only when nothing was kept for the answer: `run` is called by their handlers then. */
export const spentOnMiss: ReadonlySet<BudgetName> = new Set(['list', 'search', 'page']);
const endings: ReadonlySet<BudgetName> = new Set(['ending', 'provider']);

export type Budgets = ReturnType<typeof createBudgets>;
/** `network` is a network's visitors who make the same call: one kind of call takes nothing from another. */
type Asker = { user: string | undefined; network: string };

/** Of one process: with several, each counts its own. */
export function createBudgets() {
  const limiters = new Map<string, RateLimiterMemory>();
  const counts = new Map<string, number>(); // calls under way

  function limiterOf(name: BudgetName, scope: 'perUser' | 'perNetwork'): RateLimiterMemory | undefined {
    const { [scope]: points, seconds }: Budget = budgets[name];
    if (points === undefined || seconds === undefined) return undefined;
    const key = `${name} ${scope}`;
    const limiter = limiters.get(key) ?? new RateLimiterMemory({ points, duration: seconds });
    limiters.set(key, limiter);
    return limiter;
  }

  /** @throws Problem 429 too_many_requests */
  async function spend(name: BudgetName, { user, network }: Asker): Promise<void> {
    const limiter = limiterOf(name, user === undefined ? 'perNetwork' : 'perUser');
    await limiter?.consume(user ?? network).catch((refused: unknown) => {
      throw refused instanceof RateLimiterRes ? tooOften(refused.msBeforeNext) : refused;
    });
  }

  /** @throws Problem 429 too_many_requests */
  async function countUnderWay<T>({ user, network }: Asker, work: () => Promise<T>): Promise<T> {
    const key = user ?? network;
    const now = counts.get(key) ?? 0;
    if (now >= (user === undefined ? underWay.ofNetwork : underWay.ofUser)) throw tooOften(1_000);
    counts.set(key, now + 1);
    try {
      return await work();
    } finally {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
  }

  async function refuseSpent(name: BudgetName, { user }: Asker): Promise<void> {
    const limiter = limiterOf(name, 'perUser');
    const spent = user === undefined ? null : await limiter?.get(user);
    if (spent && spent.remainingPoints <= 0) throw tooOften(spent.msBeforeNext);
  }

  return {
    /** Runs a call within its caller's budgets. @throws Problem 429 too_many_requests */
    async run<T>(request: FastifyRequest, bound: Bound, work: () => Promise<T>): Promise<T> {
      if (isInCall()) return work();
      const name = budgetOf(bound);
      const asker = askerOf(request);
      if (name === 'signed' || name === 'session') return callAs(callerOf(request, bound), work);
      return countUnderWay(asker, async () => {
        await spend(name, asker);
        if (keepsAnswer(request)) await refuseSpent('kept', asker);
        return callAs(callerOf(request, bound), work);
      });
    },
    /** Looks up who calls, in the turns of the caller's network: whose call it is, is not known before. */
    lookUp<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
      const network = networkOf(request.ip);
      const most = connectionsOf.visitors;
      return callAs({ key: `${network} sessions`, network, most, rank: 'user', keeps: endingsKept }, work);
    },
    /**
     * Draws a page, or takes a page's form, within the budget of the visitor's network.
     * @throws Problem 429 too_many_requests
     */
    async draw<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
      const network = networkOf(request.ip);
      const key = `${network} page`;
      const asker = { user: undefined, network: key };
      return countUnderWay(asker, async () => {
        await spend('page', asker);
        return callAs({ key, network, most: connectionsOf.visitors, rank: 'visitor' }, work);
      });
    },
    /** Counts the bytes of an answer that was kept; the next call finds the budget spent. */
    note(request: FastifyRequest, bytes: number): void {
      if (keepsAnswer(request)) void limiterOf('kept', 'perUser')?.penalty(request.session?.userId ?? '', bytes);
    },
  };
}

const keepsAnswer = ({ headers, session }: FastifyRequest): boolean =>
  session !== undefined && headers['idempotency-key'] !== undefined;

const askerOf = ({ session, ip, routeOptions }: FastifyRequest): Asker => ({
  user: session?.userId,
  network: `${networkOf(ip)} ${routeOptions.config.operationId ?? ''}`,
});

/** Who asks for database connections. What ends an order waits in a queue of its own, not behind its caller's reads. */
function callerOf(request: FastifyRequest, bound: Bound): Caller {
  const { session, ip } = request;
  const network = networkOf(ip);
  const name = budgetOf(bound);
  // nobody but the provider gets so far, and what it tells is never told to come back
  if (name === 'signed') return { ...visitorsOf(request, network), rank: 'user', keeps: Infinity };
  if (endings.has(name)) {
    const asked = session
      ? ({ key: `${session.userId} endings`, network, rank: 'user' } as const)
      : visitorsOf(request, network);
    return { ...asked, most: connectionsOf.endings, keeps: endingsKept };
  }
  if (!session) return visitorsOf(request, network);
  const { userId, role } = session;
  const isChange = role === 'ROLE_CUSTOMER' && !isRead(bound.method);
  const key = isChange ? `${userId} changes` : userId;
  const most = isChange ? connectionsOf.changesOfCustomer : connectionsOf.user;
  return { key, network, most, rank: 'user' };
}

/** The visitors of a network who make the same call. */
const visitorsOf = ({ routeOptions }: FastifyRequest, network: string): Caller => ({
  key: `${network} ${routeOptions.config.operationId ?? ''}`,
  network,
  most: connectionsOf.visitors,
  rank: 'visitor',
});

const tooOften = (waitMs: number) => tooManyRequests(waitMs / 1000, refusals.tooOften);
