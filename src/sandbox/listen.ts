import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const timeouts = { headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 5_000 };

/**
 * Serves on each host, all on the same port. Skips IPv6 addresses that the machine does not have.
 * @param port 0 lets the system choose
 */
export async function listen(
  onRequest: RequestListener,
  hosts: string[],
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const servers: Server[] = [];
  let chosen = port;
  try {
    for (const host of hosts) {
      const server = createServer(timeouts, onRequest);
      try {
        await start(server, host, chosen);
      } catch (error) {
        if (host.includes(':') && isMissingAddress(error)) continue;
        throw error;
      }
      servers.push(server);
      chosen = (server.address() as AddressInfo).port;
    }
    if (servers.length === 0) throw new Error(`No address to listen on in ${hosts.join(', ')}.`);
  } catch (error) {
    await Promise.all(servers.map(stop));
    throw error;
  }
  return { port: chosen, close: async () => void (await Promise.all(servers.map(stop))) };
}

function start(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Accepts no new requests, lets running ones finish, and closes remaining connections after two seconds. */
function stop(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), 2_000);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function isMissingAddress(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';
}
