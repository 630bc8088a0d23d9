/** How the page splits a CSV file of products. */
import { expect, test } from 'vitest';
import { readParts } from '../../../src/web/admin/products/importParts';

const fileOf = (text: string) => new File([text], 'products.csv');

test('a large file is split after 1,000 rows, and each row knows its line in the whole file', async () => {
  const rows = Array.from({ length: 1500 }, (_, at) => `No. ${at},"Two\r\n""lines"""`);
  const parts = await readParts(fileOf(['name,description', ...rows].join('\r\n')));
  expect(parts.map((part) => part.rows.length)).toEqual([1000, 500]);
  expect(parts[1]?.rows[0]).toEqual({ line: 2002, place: 1002, lineInPart: 2 });
});

test('a broken file or an unknown column is rejected with its position', async () => {
  await expect(readParts(fileOf('name,passwordHash\nx,y\n'))).rejects.toThrow('"passwordHash" in cell B1');
  await expect(readParts(fileOf('name,price\nx,1\n"open,1\n'))).rejects.toThrow('Check line 3');
  await expect(readParts(fileOf('name\n'))).rejects.toThrow('This file has no rows');
});
