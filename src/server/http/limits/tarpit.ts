/**
 * Delays errors per network. Without it, a client that retries in a loop keeps the process busy with errors alone: tens of
 * thousands in ten seconds. A burst of a few hundred goes out immediately; later ones wait, and so does the client's
 * connection. Statuses 400 and 401 have a separate limit. Rule: docs/rules/running.md, Rate limits
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isInRequest } from '../../db/core/fairPool';
import { clientErrorPace, errorPace } from './limitTable';
import { networkOf } from '../core/network';
import { isInternalRequest } from '../core/internalRequests';

const retryStatuses = new Set([429, 503]);
const mistakes = new Set([400, 401]);

declare module 'fastify' {
  interface FastifyInstance {
    /** Waits until an error may be sent. For errors that bypass the onSend hook. */
    untilErrorMayGo: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

export function delayErrors(app: FastifyInstance): void {
  const delayError = createTarpit(errorPace);
  const delayClientError = createTarpit(clientErrorPace);
  const waiting = new Set<() => void>();
  let isClosing = false;

  const pause = (waitMs: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, waitMs);
      waiting.add(end);
    });

  async function untilTurn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (isClosing || isOurs(request)) return;
    const waitMs = (mistakes.has(reply.statusCode) ? delayClientError : delayError)(
      networkOf(request.ip),
      performance.now(),
    );
    if (waitMs === undefined) reply.raw.once('finish', () => request.raw.socket.end());
    else if (waitMs > 0) await pause(waitMs);
  }

  app.decorate('untilErrorMayGo', untilTurn);
  app.addHook('onSend', async (request, reply) => {
    if (retryStatuses.has(reply.statusCode) || mistakes.has(reply.statusCode)) await untilTurn(request, reply);
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const end of waiting) end();
  });
}

const isOurs = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.isProbe === true || isInRequest() || isInternalRequest();

/**
 * Tracks the errors of each network in a virtual queue.
 * @returns a function that gives the delay of the next error in ms (0: send immediately), or undefined when too many are
 *   waiting and the connection should be closed instead
 */
export function createTarpit(pace: typeof errorPace) {
  const takesMs = 1_000 / pace.perSecond;
  const freeMs = pace.burst * takesMs;
  const endsAt = new Map<string, number>(); // of the last error, by network
  let nextTidyAt = 0;

  return (network: string, nowMs: number): number | undefined => {
    if (nowMs >= nextTidyAt) {
      for (const [each, time] of endsAt) if (time <= nowMs) endsAt.delete(each);
      nextTidyAt = nowMs + pace.waitsAtMostMs;
    }
    const last = Math.max(nowMs, endsAt.get(network) ?? 0);
    const waitMs = Math.max(0, last - nowMs - freeMs);
    if (waitMs > pace.waitsAtMostMs) return undefined;
    endsAt.set(network, last + takesMs);
    return waitMs;
  };
}
