import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { requestLimits } from '../../../src/server/db/open';
import { rowsOf } from '../../support/backOffice';
import { someCode } from '../../support/discountScenarios';
import { openOwnShop } from '../../support/shop';

test('the file of all codes may take longer than other calls, like every file', async () => {
  const limited = await openOwnShop({ reach: (direct) => direct }); // with the time limits of requests
  onTestFinished(() => limited.close());
  const { token } = await limited.signIn({ role: 'ROLE_ADMIN' });
  await limited.call('createDiscount', { as: await limited.signIn({ role: 'ROLE_ADMIN' }), body: someCode({}) });
  const warden = new Client(limited.direct);
  await warden.connect();
  onTestFinished(() => warden.end().catch(() => undefined));
  await warden.query('begin');
  await warden.query('lock orders');
  const file = limited.app.inject({
    url: '/api/admin/discounts/export',
    headers: { authorization: `Bearer ${token}` },
  });
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and clock_timestamp() - query_start > $1 * interval '1 ms'`;
  const isWaiting = async () => (await limited.pool.query(waiting, [requestLimits.socketTimeoutMs])).rowCount;
  await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1);
  await warden.query('commit');
  const { statusCode, body } = await file;
  expect([statusCode, rowsOf(body).length]).toEqual([200, 1]);
});
