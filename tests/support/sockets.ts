/** What a server has read of each connection: so much has arrived, and not only been sent. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'vitest';

/** @param server before its first connection @returns waits until the other end of a socket has read so many bytes */
export function watchReading(server: Server): (socket: Socket, bytes: number) => Promise<void> {
  const ends = new Map<number | undefined, Socket>();
  server.on('connection', (end: Socket) => void ends.set(end.remotePort, end));
  return (socket, bytes) =>
    expect.poll(() => ends.get(socket.localPort)?.bytesRead ?? -1).toBeGreaterThanOrEqual(bytes);
}
