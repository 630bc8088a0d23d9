/** Who sends a file slowly, or several at once, keeps nobody from sending one. Rule: docs/rules/wire.md, Files */
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { uploadsAtOnce } from '../../../src/server/http/budgetTable';
import { fileForm, jpeg } from '../../support/pictures';
import { openShop, type Person, type TestShop } from '../../support/shop';

const [here, elsewhere, abroad] = ['203.0.113.1', '198.51.100.1', '192.0.2.1'];
let shop: TestShop;
let picture: Buffer;
let mallory: Person;
let ana: Person;
beforeAll(async () => {
  shop = await openShop();
  picture = await jpeg();
});
afterAll(() => shop.close());
beforeEach(async () => {
  [mallory, ana] = [await shop.signIn(), await shop.signIn()];
});

const send = (as: Person, remoteAddress: string, file: Buffer | PassThrough) =>
  shop.app.inject({
    method: 'PUT',
    url: `/api/public/users/${as.userId}/picture`,
    headers: { ...fileForm(picture).headers, authorization: `Bearer ${as.token}` },
    payload: file,
    remoteAddress,
  });
const sendWhole = async (as: Person, address: string) => (await send(as, address, fileForm(picture).body)).statusCode;

/** Begins so many files whose ends come with `end`, at the latest with the test's. @returns which answers came meanwhile */
function beginSlow(times: number, as: Person, address: string) {
  const answers: number[] = [];
  const { body } = fileForm(picture);
  const files = Array.from({ length: times }, () => new PassThrough());
  const answered = files.map(async (file) => {
    file.write(body.subarray(0, 300)); // the form's head and a part of the picture
    answers.push((await send(as, address, file)).statusCode);
  });
  const end = async () => {
    for (const file of files.filter(({ writableEnded }) => !writableEnded)) file.end(body.subarray(300));
    await Promise.all(answered);
  };
  onTestFinished(end);
  return { answers, end };
}

test('an account that sends files slowly has two places, and leaves two to others', async () => {
  const { answers } = beginSlow(uploadsAtOnce.ofProcess, mallory, here);
  await expect.poll(() => answers).toEqual([503, 503]);
  expect(await sendWhole(ana, here)).toBe(200);
  expect(await sendWhole(mallory, elsewhere)).toBe(503);
});

test('a network has three places, with however many accounts', async () => {
  const [first, second] = [mallory, ana].map((as) => beginSlow(uploadsAtOnce.ofUser, as, here).answers);
  await expect.poll(() => [first, second].flat()).toEqual([503]);
  expect(await sendWhole(await shop.signIn(), elsewhere)).toBe(200);
});

test('a process has four places for all, which are free again once the files have come', async () => {
  const bea = await shop.signIn();
  const first = beginSlow(uploadsAtOnce.ofUser, mallory, here);
  const second = beginSlow(uploadsAtOnce.ofUser, ana, elsewhere);
  await expect.poll(() => sendWhole(bea, abroad)).toBe(503);
  await Promise.all([first.end(), second.end()]);
  expect([...first.answers, ...second.answers]).toEqual([200, 200, 200, 200]);
  expect(await sendWhole(bea, abroad)).toBe(200);
});
