/**
 * Under overload most callers get their answer in time and the rest get 503 with Retry-After at once, instead of all
 * waiting longer and longer for answers that nobody waits for any more.
 *
 * How many wait for one of the process's database connections is what says so: whatever is short, processor, disk or
 * locks, connections are held longer, and that queue grows. What is answered from memory joins no queue; so what visitors
 * read is refused much later. What ends an order that was begun is never refused here.
 * Rule: docs/rules/running.md, Overload
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { OperationId } from '../../shared/contract';
import { unavailable } from './problems';

/** Ten turns of the ten connections: a quarter of a second of cart changes, most of a second of orders. */
const mostWaiting = 100;
const mostWaitingForVisitors = 300;
type Queue = Pick<Pool, 'waitingCount'>;
const neverRefused = new Set<OperationId>(['receivePaymentEvent', 'capturePayment', 'checkPaymentStatus', 'logout']);

/** @param replica what visitors read may wait for it too, and comes to `pool` when it waited too long */
export function shedOverload(app: FastifyInstance, pool: Queue, replica: Queue = { waitingCount: 0 }): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(isTooMuch(request) ? unavailable() : undefined);
  });

  function isTooMuch({ method, headers, routeOptions }: FastifyRequest): boolean {
    const { operationId } = routeOptions.config;
    if (operationId !== undefined && neverRefused.has(operationId)) return false;
    const isVisitorReading = method === 'GET' && headers.authorization === undefined && headers.cookie === undefined;
    if (isVisitorReading) return pool.waitingCount + replica.waitingCount >= mostWaitingForVisitors;
    return pool.waitingCount >= mostWaiting;
  }
}
