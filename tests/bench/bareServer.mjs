/**
 * The least that node:http can do: one answer, always the same bytes and headers. It prints its port.
 *
 *   node tests/bench/bareServer.mjs answer.json     { status, headers: [name, value, …], body in base64 }
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const bytes = Buffer.from(body, 'base64');

const server = createServer((_request, response) => {
  response.writeHead(status, headers).end(bytes);
});
server.keepAliveTimeout = 10_000;
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
