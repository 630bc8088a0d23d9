/**
 * The least that a list costs which is read from the database: node:http, one statement through `pg`, JSON. It prints its
 * port.
 *
 *   node tests/bench/bareList.mjs '{"host":"…","user":"shop",…}'
 */
import { createServer } from 'node:http';
import { Pool } from 'pg';

const pool = new Pool({ ...JSON.parse(process.argv[2]), max: 4 });
const text = `select products.*, categories.name as category from products
  join categories on categories.id = products.category_id where products.archived_at is null
  order by products.created_at, products.id limit $1 offset $2`;

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));

async function answer(request, response) {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const values = [searchParams.get('size') ?? 10, 0];
  const { rows } = await pool.query({ name: 'list', text, values });
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: rows }));
}
