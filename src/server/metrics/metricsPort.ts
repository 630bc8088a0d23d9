/**
 * METRICS_PORT: endpoints for an operator's monitoring, only on the loopback address and apart from the shop's port.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { ConfigError } from '../core/config';
import type { Readiness } from '../http/core/health';
import type { Metrics } from './metrics';

type Parts = { port: number; metrics: Metrics; readiness: () => Promise<Readiness> };

const host = '127.0.0.1';

/** @returns how to stop @throws ConfigError naming METRICS_PORT */
export async function openPrivatePort({ port, metrics, readiness }: Parts): Promise<() => Promise<void>> {
  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    async '/metrics'(response) {
      response.setHeader('content-type', metrics.contentType).end(await metrics.present());
    },
    async '/readyz'(response) {
      const found = await readiness();
      response.statusCode = found.isReady ? 200 : 503;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
    },
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    response.setHeader('cache-control', 'no-store');
    const page = request.method === 'GET' ? pages[request.url ?? ''] : undefined;
    if (page) void page(response).catch(() => response.writeHead(500).end());
    else response.writeHead(404).end();
  });
  server.listen(port, host);
  await once(server, 'listening').catch(({ message }: Error) => {
    throw new ConfigError(`METRICS_PORT: can't listen on ${port} (${message})`);
  });
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}
