/** /healthz: the process is alive. /readyz: it can serve requests, which needs the database. */
import type { FastifyInstance } from 'fastify';
import type { ChangeBus } from '../../db/core/changeBus';
import type { Db } from '../../db/core/transact';

type Parts = { db: Db; bus: Pick<ChangeBus, 'connected'> };
export type Readiness = {
  isReady: boolean;
  database: 'answers' | 'does not answer';
  /** Whether this process receives the change notifications of the others. */
  notices: 'connected' | 'not connected';
};

export async function checkReadiness({ db, bus }: Parts): Promise<Readiness> {
  const answers = await db.execute('select 1').then(
    () => true,
    () => false,
  );
  return {
    isReady: answers && bus.connected,
    database: answers ? 'answers' : 'does not answer',
    notices: bus.connected ? 'connected' : 'not connected',
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A probe of the orchestrator. Its response is never delayed. */
    isProbe?: boolean;
  }
}

const config = { isProbe: true };

/** Public, so it gives no details. Concurrent requests share one database check. */
export function serveHealth(app: FastifyInstance, parts: Parts): void {
  let asked: Promise<Readiness> | undefined;
  const checkOnce = () => (asked ??= checkReadiness(parts).finally(() => (asked = undefined)));

  app.get('/healthz', { config }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { config }, async (_request, reply) => {
    const { isReady } = await checkOnce();
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'unavailable' });
  });
}
