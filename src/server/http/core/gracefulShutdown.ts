/**
 * Graceful shutdown: requests in flight finish, new ones get 503, and then every connection is closed. Otherwise the
 * server would wait for idle connections, such as those that browsers open in advance.
 */
import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from './problems';

const finishWithinMs = 8_000; // of the 10 s the process has to shut down

/**
 * Needs `forceCloseConnections: true`, which closes all connections afterwards.
 * @returns for responses that bypass the framework: counts the response as in flight, or returns false while shutting down
 */
export function closeOrderly(app: FastifyInstance): (response: ServerResponse) => boolean {
  const answering = new Set<object>();
  let isClosing = false;
  let allAnswered: (() => void) | undefined;

  const done = (request: object) => {
    answering.delete(request);
    if (answering.size === 0) allAnswered?.();
  };
  app.addHook('onRequest', (request, reply, next) => {
    answering.add(request);
    reply.raw.once('close', () => done(request)); // also when the client has disconnected
    next(isClosing ? unavailable() : undefined);
  });
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (isClosing) reply.header('connection', 'close');
    next();
  });
  app.addHook('onResponse', (request, _reply, next) => {
    done(request);
    next();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    if (answering.size === 0) return;
    const answered = new Promise<void>((resolve) => {
      allAnswered = resolve;
    });
    await Promise.race([answered, pause(finishWithinMs, undefined, { ref: false })]);
  });
  return (response) => {
    if (isClosing) return false;
    answering.add(response);
    response.once('close', () => done(response));
    return true;
  };
}
