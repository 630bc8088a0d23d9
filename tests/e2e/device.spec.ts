import type { Page } from 'playwright/test';
import { dumpDevice, restoreDevice } from '../support/deviceDump';
import {
  answerTo,
  asSent,
  cartNow,
  ids,
  isChange,
  recorded,
  type RecordedCall,
  tokenOf,
} from '../support/recordedDevice';
import { type Gateway, openGateway, type WireCall } from './gateway';
import { expect, test } from './shop';

/** A real browser with the data that an earlier release left in one (tests/data/device-1). The pages are of this release. */
let gateway: Gateway;
test.beforeEach(async ({ shop }) => {
  gateway = await openGateway(() => shop.url);
});
test.afterEach(() => gateway.close());

const asCompared = ({ method, path, headers, body }: WireCall): RecordedCall => ({
  method,
  path,
  as: (headers.cookie ?? headers.authorization) ? 'user' : 'nobody',
  'idempotency-key': headers['idempotency-key']?.toString(),
  'content-type': headers['content-type'],
  body,
});

async function outboxOn(page: Page) {
  const { databases } = await page.evaluate(dumpDevice);
  const stores = databases.find(({ name }) => name === 'shop')?.stores ?? [];
  return stores.find(({ name }) => name === 'outbox')?.rows;
}

test('a device of an earlier release is opened, shows what waits, and sends the same bytes', async ({
  browser,
  watch,
}) => {
  watch.expected.push(/./); // nothing gets through at first
  const context = await browser.newContext({ baseURL: gateway.url, serviceWorkers: 'block', timezoneId: 'UTC' });
  await context.addCookies([{ name: 'kept', value: tokenOf('ben'), url: gateway.url }]);
  const page = await context.newPage();
  gateway.decide = () => 'break';
  await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('/blank');
  await page.evaluate(`(${restoreDevice.toString()})(${JSON.stringify(recorded.device)})`);
  await page.goto('/cart');
  const words = async () => ((await page.getByRole('main').textContent()) ?? '').replace(/\s+/g, ' ').trim();
  const added = ['As of Nov 22, 8:20 PM', 'Save cart as list']; // by this release
  const asThen = async () => added.reduce((said, each) => said.replace(each, ''), await words());
  await expect.poll(asThen).toBe(cartNow);
  await expect.poll(words).toContain(added[0]);

  await page.goto('/blank'); // a page that goes while it sends would leave a call to be sent again
  gateway.calls.length = 0;
  gateway.decide = (call) => answerTo('ben', asCompared(call));
  await page.goto('/cart');
  await expect.poll(() => outboxOn(page)).toEqual(recorded.shown.left);
  expect(gateway.calls.map(asCompared).filter(isChange)).toEqual(recorded.calls.ben.map(asSent));
  const names = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name, version }) => [name, version]),
  );
  expect(names).toContainEqual(['shop', 10]);
  expect(await page.evaluate(() => localStorage.getItem('root'))).toContain(ids.ben);
  await context.close();
});
