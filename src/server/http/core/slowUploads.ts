/** More time for the large files of staff. Everyone else's requests keep the server's limits. Rule: docs/rules/wire.md, Time limits */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long such a file may take to arrive, and its response to begin. */
const patienceMs = 5 * 60_000;

const uploads = new WeakMap<Socket, IncomingMessage>();

/** Call it once the sender is known as staff. The connection is closed if the file takes longer than five minutes. */
export function allowSlowUpload(request: IncomingMessage): void {
  const { socket } = request;
  if (!(socket instanceof Socket)) return; // a call without a connection
  uploads.set(socket, request);
  socket.setTimeout(patienceMs); // Node sets its usual one after the response
  const timer = setTimeout(() => request.complete || socket.destroy(), patienceMs).unref();
  request.once('close', () => clearTimeout(timer));
}

/** Whether a file is still arriving that may take longer than other requests. */
export const isSlowUpload = (socket: Socket): boolean => uploads.get(socket)?.complete === false;
