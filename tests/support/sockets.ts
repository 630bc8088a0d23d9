/** How many bytes a server has read of each connection: proof of arrival, not only of sending. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'vitest';

/** @param server before its first connection @returns waits until the server has read this many bytes of a socket */
export function watchReading(server: Server): (socket: Socket, bytes: number) => Promise<void> {
  const ends = new Map<number | undefined, Socket>();
  server.on('connection', (end: Socket) => void ends.set(end.remotePort, end));
  return (socket, bytes) =>
    expect.poll(() => ends.get(socket.localPort)?.bytesRead ?? -1).toBeGreaterThanOrEqual(bytes);
}
