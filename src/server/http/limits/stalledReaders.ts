import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Node may check for progress once and wait a second period, so a stalled client is gone within 15 s. */
const stallsAtMostMs = 5500;
const lookEveryMs = 500;

/**
 * Closes connections whose client has stopped reading, since each holds a response in memory. Slow clients are left alone:
 * Node's socket timeout restarts with each chunk that is read. While a response is still being built, the server's longer
 * timeout applies. Rule: docs/rules/wire.md, Time limits
 */
export function endStalledReaders(server: Server, patienceMs = stallsAtMostMs): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(
    () => {
      for (const socket of sockets) {
        const isWaiting = socket.writableLength > 0;
        if (isWaiting && socket.timeout !== patienceMs) socket.setTimeout(patienceMs);
        if (!isWaiting && socket.timeout === patienceMs) socket.setTimeout(server.timeout);
      }
    },
    Math.min(lookEveryMs, patienceMs),
  );
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
