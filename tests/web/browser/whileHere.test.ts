import { expect, test } from 'vitest';
import { importWhileHere } from '../../../src/web/browser/whileHere';

const lost = new TypeError('error loading dynamically imported module: http://localhost/assets/part.js');

/** @returns a part that is on its way, how it fails, and what became of it */
function begin() {
  let fail = () => {};
  const promise = new Promise<object>((_, reject) => (fail = () => reject(lost)));
  const seen: { error?: unknown } = {};
  const end = importWhileHere(promise).catch((error: unknown) => (seen.error = error));
  return { fail, seen, end };
}

/** A part that fails later, on a page that stays: whatever came before has been heard by then. */
async function afterAnother(): Promise<void> {
  const another = begin();
  another.fail();
  await another.end;
}

test('a part that is lost is said to be', async () => {
  const { fail, end } = begin();
  fail();
  expect(await end).toBe(lost);
});

test.each([
  ['it is touched', new Event('pointerdown')],
  ['a key is pressed in it', new Event('keydown')],
  ['"back" has brought it again', Object.assign(new Event('pageshow'), { persisted: true })],
])('a page that is being left loses no part before %s', async (_, sign) => {
  const { fail, seen, end } = begin();
  window.dispatchEvent(new Event('beforeunload'));
  fail();
  await afterAnother();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })); // its own, as what it waited for ends
  await afterAnother();
  expect(seen).toEqual({});
  window.dispatchEvent(sign);
  expect(await end).toBe(lost);
});

test('a page that was to be left before, and was not, loses a part as any other', async () => {
  window.dispatchEvent(new Event('beforeunload'));
  const { fail, end } = begin();
  fail();
  expect(await end).toBe(lost);
});
