/** A download is read while it is sent, as part of the call that requested it. Rule: docs/rules/running.md, Overload */
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { runAs, isInRequest } from '../../../src/server/db/core/fairPool';
import { sendCsv } from '../../../src/server/http/csv/csvDownload';

test('an export that waits behind another response is read in the turns of its caller', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const caller = { key: 'ana', network: '203.0.113.1', most: 4, rank: 'user' } as const;
  const parts: boolean[] = [];
  const file = {
    name: 'long',
    now: new Date(),
    timeZone: 'UTC',
    columns: [{ header: 'text', cell: ({ id }: { id: number }) => `${id} `.repeat(1_000) }],
    ids: Array.from({ length: 4_000 }, (_, id) => id),
    read: async (ids: number[]) => {
      parts.push(isInRequest());
      return ids.map((id) => ({ id }));
    },
  };
  app.get('/other', async () => 'x'.repeat(20_000_000)); // more than a connection buffers
  app.get('/export', (_request, reply) => runAs(caller, () => sendCsv(reply, file)));
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1').pause();
  for (const path of ['/other', '/export']) socket.write(`GET ${path} HTTP/1.1\r\nHost: shop\r\n\r\n`);
  await expect.poll(() => parts.length).toBeGreaterThan(0);
  socket.resume();
  await expect.poll(() => parts, { timeout: 10_000 }).toEqual(file.ids.slice(0, 8).map(() => true));
  socket.destroy();
});
