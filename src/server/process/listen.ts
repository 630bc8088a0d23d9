import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ConfigError, type Config } from '../core/config';
import { endStalledReaders } from '../http/limits/stalledReaders';

/** How often Node checks connections for timeouts; its default is 30 s. */
export const checkEveryMs = 500;

/** Error codes when the machine has no IPv6 on its loopback. */
const noIpv6Codes = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/**
 * Listens on HOST. 'localhost' means both loopback addresses, regardless of the hosts file, since a browser may try
 * either; without IPv6 only the first.
 * @returns how to stop: requests in flight are finished
 * @throws ConfigError naming PORT or HOST
 */
export async function listen(
  app: FastifyInstance,
  { port, host }: Pick<Config, 'port' | 'host'>,
): Promise<() => Promise<unknown>> {
  const isLocal = host === 'localhost';
  await app.listen({ port, host: isLocal ? '127.0.0.1' : host }).catch((error: unknown) => refuse(error, port, host));
  const onIpv6 = isLocal
    ? await listenOnIpv6(app, port).catch((error: unknown) => refuse(error, port, host))
    : undefined;
  return async () => {
    onIpv6?.close();
    await app.close(); // waits for the requests in flight on both addresses
    onIpv6?.closeAllConnections();
  };
}

/** The same app on [::1], with the same timeouts. @returns undefined without IPv6 */
async function listenOnIpv6(app: FastifyInstance, port: number): Promise<Server | undefined> {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = app.server;
  const limits = { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval: checkEveryMs };
  const server = createServer(limits, app.answerRequest);
  server.setTimeout(timeout);
  endStalledReaders(server);
  for (const handle of app.server.listeners('clientError')) server.on('clientError', handle as () => void);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '::1', resolve);
    });
  } catch (error) {
    if (noIpv6Codes.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  return server;
}

function refuse(error: unknown, port: number, host: string): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') throw new ConfigError(`PORT: ${port} is already in use`);
  if (code === 'EACCES') throw new ConfigError(`PORT: this user isn't allowed to listen on ${port}`);
  throw new ConfigError(`HOST: can't listen on ${host} (${message})`);
}
