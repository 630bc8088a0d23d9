import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'playwright/test';
import { test } from './harness';

/** Only WebKit's shop speaks TLS, whose connections take a while to open. */
test('a broken network closes every connection, even one that is still being opened', async ({ shop }) => {
  const { protocol, port } = new URL(shop.url);
  const address = { host: '127.0.0.1', port: Number(port) };
  const beingMade = connect(address); // its first byte is still to come
  const isSecure = protocol === 'https:';
  const made = isSecure ? connectSecurely({ ...address, rejectUnauthorized: false }) : connect(address);
  await once(made, isSecure ? 'secureConnect' : 'connect');
  made.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(made, 'data'); // both have arrived, since the first was earlier
  const ends = [made, beingMade].map((socket: Socket) => once(socket.resume(), 'close'));
  await shop.breakOff();
  await Promise.all(ends);
  await expect(once(connect(address), 'connect')).rejects.toThrow('ECONNREFUSED');
  await shop.restore();
});
