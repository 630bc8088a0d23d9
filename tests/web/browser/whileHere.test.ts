import { expect, test } from 'vitest';
import { importWhileHere } from '../../../src/web/browser/importWhileHere';

const lost = new TypeError('error loading dynamically imported module: http://localhost/assets/part.js');

/** @returns a chunk that is loading, a way to fail it, and its outcome */
function begin() {
  let fail = () => {};
  const promise = new Promise<object>((_, reject) => (fail = () => reject(lost)));
  const seen: { error?: unknown } = {};
  const end = importWhileHere(promise).catch((error: unknown) => (seen.error = error));
  return { fail, seen, end };
}

/** A chunk that fails later, on a page that stays: everything before has been handled by then. */
async function afterAnother(): Promise<void> {
  const another = begin();
  another.fail();
  await another.end;
}

test('a lost chunk is reported', async () => {
  const { fail, end } = begin();
  fail();
  expect(await end).toBe(lost);
});

test.each([
  ['it is touched', new Event('pointerdown')],
  ['a key is pressed in it', new Event('keydown')],
  ['"back" has brought it again', Object.assign(new Event('pageshow'), { persisted: true })],
])('a page that is being left loses no chunk before %s', async (_, sign) => {
  const { fail, seen, end } = begin();
  window.dispatchEvent(new Event('beforeunload'));
  fail();
  await afterAnother();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })); // its own, when what it waited for ends
  await afterAnother();
  expect(seen).toEqual({});
  window.dispatchEvent(sign);
  expect(await end).toBe(lost);
});

test('a page whose leaving was canceled loses a chunk like any other', async () => {
  window.dispatchEvent(new Event('beforeunload'));
  const { fail, end } = begin();
  fail();
  expect(await end).toBe(lost);
});
