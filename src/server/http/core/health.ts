/** /healthz: the process lives. /readyz: it can do its work, which needs the database. */
import type { FastifyInstance } from 'fastify';
import type { ChangeBus } from '../../db/core/changeBus';
import type { Db } from '../../db/core/transact';

type Parts = { db: Db; bus: Pick<ChangeBus, 'connected'> };
export type Readiness = {
  isReady: boolean;
  database: 'answers' | 'does not answer';
  /** Whether this process hears what the others change. */
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
    /** Asked by what runs the processes: its answer waits for nobody. */
    isProbe?: boolean;
  }
}

const config = { isProbe: true };

/** For anybody, so no more than whether; and the database is asked once for all who ask at the same moment. */
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
