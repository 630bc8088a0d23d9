/** Requests that are not valid HTTP reach no route, so they are answered on the raw socket. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Schema } from '../../../shared/contract';
import { errorMessages } from '../../../shared/errorMessages';
import { isSlowUpload } from './slowUploads';

const errorsOf: Record<string, { status: number; title: string; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, title: 'Request Timeout', message: 'The request took too long to arrive' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: 'Request Header Fields Too Large',
    message: 'The headers of the request are too large',
  },
};
const unreadable = { status: 400, title: 'Bad Request', message: errorMessages.unreadable };

/** @param headers sent with every response */
export function createClientErrorHandler(headers: Record<string, string>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSlowUpload(socket)) return; // Node reports it once
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, title, message } = errorsOf[error.code ?? ''] ?? unreadable;
    const problem: Schema<'Problem'> = {
      type: 'about:blank',
      title,
      status,
      detail: message,
      message,
      code: 'invalid_request',
      errors: [],
      requestId: randomUUID(),
    };
    const body = JSON.stringify(problem);
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}
