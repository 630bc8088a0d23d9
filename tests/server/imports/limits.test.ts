/** How long a file of products may be. */
import { expect, test } from 'vitest';
import { openProductFile } from '../../../src/server/imports/file';
import { photosOf } from '../../../src/server/imports/rows';

async function countRows(header: string, line: string, rows: number): Promise<number> {
  let count = 0;
  const file = await openProductFile(Buffer.from(`${header}\n${`${line}\n`.repeat(rows)}`));
  for await (const _ of file.lines()) count += 1;
  return count;
}

test('a file with the shop’s own columns may be longer than any other, so that each export can be imported', async () => {
  expect(await countRows('id,name,price', ',Long,4.35', 110_000)).toBe(110_000);
  await expect(countRows('id,name,price', ',Long,4.35', 110_001)).rejects.toThrow('up to 110,000 rows');
  expect(await countRows('Item,Cost', 'Long,4.35', 10_000)).toBe(10_000);
  await expect(countRows('Item,Cost', 'Long,4.35', 10_001)).rejects.toThrow('up to 10,000 rows');
});

test('a file with the shop’s own columns may be larger than any other', async () => {
  const text = 'x'.repeat(1_000);
  expect(await countRows('id,name,description', `,Long,${text}`, 30_000)).toBe(30_000);
  await expect(countRows('Item,Text', `Long,${text}`, 30_000)).rejects.toThrow('This file is over 20 MB.');
});

test('a cell of many separators is read in the time that its length takes', () => {
  const cell = ', ;'.repeat(100_000);
  expect(photosOf(`${cell}https://photos.example/a.jpg`).at(-1)?.url).toBe('https://photos.example/a.jpg');
});
