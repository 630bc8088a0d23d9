/**
 * The network between a browser and the shop: it can break, and it speaks TLS for the engine that otherwise keeps no
 * cookie.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createSecureServer } from 'node:tls';
import { promisify } from 'node:util';
import { findFreePort } from '../support/freePort';

export interface Front {
  url: string;
  /** The network is down: open connections break, and new ones are rejected. */
  breakOff: () => Promise<void>;
  restore: () => Promise<void>;
}

/** @param shopPort where the shop listens */
export async function openFront(shopPort: number, isSecure: boolean): Promise<Front> {
  const port = await findFreePort();
  const certificate = isSecure ? await makeCertificate() : undefined;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const pass = (socket: Socket) => {
    const shop = connect(shopPort, '127.0.0.1');
    keep(socket);
    keep(shop);
    socket.pipe(shop).pipe(socket);
    socket.on('close', () => shop.destroy());
    shop.on('close', () => socket.destroy());
  };
  let server: Server | undefined;
  const restore = async () => {
    server = certificate ? createSecureServer(certificate, pass) : createServer(pass);
    server.on('connection', keep); // from its start: a TLS handshake would otherwise pass after the break
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
  };
  await restore();
  return {
    url: `${isSecure ? 'https' : 'http'}://localhost:${port}`,
    restore,
    async breakOff() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** For this run alone, for localhost; the browser is told to accept it. */
async function makeCertificate(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-tls-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert]);
  const made = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return made;
}
