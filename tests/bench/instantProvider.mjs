/** A payment provider that takes no time: it opens a session in memory, immediately, and forgets it. It prints its port. */
import { createServer } from 'node:http';

let opened = 0;

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => answer(request.method, chunks, response));
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));

function answer(method, chunks, response) {
  response.setHeader('content-type', 'application/json');
  if (method !== 'POST') {
    response
      .writeHead(404)
      .end('{"error":{"type":"invalid_request_error","code":"resource_missing","message":"none"}}');
    return;
  }
  const asked = new URLSearchParams(Buffer.concat(chunks).toString());
  const id = `cs_test_instant${++opened}`;
  response.end(
    JSON.stringify({
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 1,
      currency: 'usd',
      client_reference_id: asked.get('client_reference_id'),
      payment_intent: null,
      url: `http://127.0.0.1/c/pay/${id}`,
    }),
  );
}
