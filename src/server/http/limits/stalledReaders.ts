import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Node may take a first look for progress and wait once more, so whoever takes nothing is gone within 15 s. */
const stallsAtMostMs = 5500;
const lookEveryMs = 500;

/**
 * Ends the connections whose other end takes nothing while there is something to take: each holds what was made for it.
 * Whoever takes a little now and then, on a slow line, is let be, as Node's socket timeout counts each part that is taken.
 * An answer that is still being made has the longer time of all connections. Rule: docs/rules/wire.md, Time limits
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
