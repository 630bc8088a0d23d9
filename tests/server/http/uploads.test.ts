/** A client that sends a file slowly, or several in parallel, does not block others. Rule: docs/rules/wire.md, Files */
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { concurrentUploads } from '../../../src/server/http/limits/limitTable';
import { fileForm, jpeg } from '../../support/pictures';
import { openShop, type Person, type TestShop } from '../../support/shop';

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

const send = (as: Person, file: Buffer | PassThrough) =>
  shop.app.inject({
    method: 'PUT',
    url: `/api/public/users/${as.userId}/picture`,
    headers: { ...fileForm(picture).headers, authorization: `Bearer ${as.token}` },
    payload: file,
  });
const sendWhole = async (as: Person) => (await send(as, fileForm(picture).body)).statusCode;

/**
 * Starts this many uploads that finish with `end`, at the latest with the test.
 * @returns which responses came meanwhile
 */
function beginSlow(times: number, as: Person) {
  const answers: number[] = [];
  const { body } = fileForm(picture);
  const files = Array.from({ length: times }, () => new PassThrough());
  const answered = files.map(async (file) => {
    file.write(body.subarray(0, 300)); // the form's head and a part of the picture
    answers.push((await send(as, file)).statusCode);
  });
  const end = async () => {
    for (const file of files.filter(({ writableEnded }) => !writableEnded)) file.end(body.subarray(300));
    await Promise.all(answered);
  };
  onTestFinished(end);
  return { answers, end };
}

test('a customer who sends files slowly has two slots, and leaves two to others', async () => {
  const { answers } = beginSlow(concurrentUploads.ofProcess, mallory);
  await expect.poll(() => answers).toEqual([503, 503]);
  expect(await sendWhole(ana)).toBe(200);
  expect(await sendWhole(mallory)).toBe(503);
});

test('all customers together leave one slot to staff', async () => {
  const [first, second] = [mallory, ana].map((as) => beginSlow(concurrentUploads.ofCustomer, as).answers);
  await expect.poll(() => [first, second].flat()).toEqual([503]);
  expect(await sendWhole(await shop.signIn())).toBe(503);
  expect(await sendWhole(await shop.signIn({ role: 'ROLE_ADMIN' }))).toBe(200);
});

test('a process has four slots for all, which are free again once the files have arrived', async () => {
  const staff = await Promise.all([1, 2, 3].map(() => shop.signIn({ role: 'ROLE_ADMIN' })));
  const [fatou] = staff as [Person];
  const slow = staff.map((as, place) => beginSlow(place < 2 ? 2 : 1, as));
  await expect.poll(() => slow.flatMap(({ answers }) => answers)).toEqual([503]);
  expect(await sendWhole(fatou)).toBe(503);
  await Promise.all(slow.map(({ end }) => end()));
  expect(slow.flatMap(({ answers }) => answers).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 503]);
  expect(await sendWhole(fatou)).toBe(200);
});
