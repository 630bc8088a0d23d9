/** The cells of a CSV file: any text comes back unchanged. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveText, readCell, writeCell } from '../../../src/server/http/csv/csvDownload';
import { csvCalls, rowsOf } from '../../support/productCsv';
import { naughtyStrings } from '../../support/hostile';
import { isNightly } from '../../support/nightly';
import { seededRandom } from '../../support/random';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let exported: ReturnType<typeof csvCalls>['exported'];
let importCsv: ReturnType<typeof csvCalls>['importCsv'];
let forStaff: ReturnType<typeof csvCalls>['forStaff'];
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  ({ exported, importCsv, forStaff } = csvCalls(shop, staff));
});
afterAll(() => shop.close());

describe('a cell is a text to every spreadsheet', () => {
  const signs = '=+-@%|\t\r\n＝＋－＠％｜﹦﹢﹣﹫'.split('');
  const formulas = [
    ...signs.flatMap((sign) => [`${sign}1`, `'${sign}1`, `''${sign}`]),
    ' =1+1',
    '\u3000＝1',
    '" =1',
    "' =1",
    "=cmd|' /C calc'!A0",
    '\t=1',
    '\t\n＝1',
    '\r\n=1',
    "'\t",
  ];
  test.each(formulas)('%j does not begin like a formula, and comes back unchanged', (text) => {
    expect(writeCell(text)).toBe(`'${text}`.replace(/(?<=[\t\r\n])(?=[＝=])/, "'"));
    expect(readCell(writeCell(text))).toBe(text);
  });
  test.each(['pepper', "'tis", "Isatou's", '1-1', 'a=b', '', 'salt, - or pepper', 'a;b', 'two\n\nlines', '5 % off'])(
    '%j stays unchanged',
    (text) => {
      expect(writeCell(text)).toBe(text);
      expect(readCell(text)).toBe(text);
    },
  );

  test.each([
    '007',
    "'007",
    '$4.50',
    '1,250.00',
    '2026-11-28',
    'Nov 28',
    '28 September 2026',
    '12:30 PM',
    '1e5',
    'TRUE',
  ])('%j is no number, date or boolean to a spreadsheet, and comes back unchanged', (text) => {
    expect(writeCell(saveText(text))).toBe(`'${text}`);
    expect(readCell(writeCell(saveText(text)))).toBe(text);
  });
  test.each(['7 spices', 'May', "'tis", '=1', 'janjanjanjanjanjanjanjanjanjanjanjanjanjan1x'])(
    '%j needs no mark',
    (text) => {
      expect(saveText(text)).toBe(text);
    },
  );

  // as a reader does that splits at each semicolon and takes quotation marks for letters
  const pieces = (line: string) => line.split(/[;\t\r\n]/).map((piece) => piece.replace(/^[\s"]+/, ''));
  test.each([
    'pepper;=1+1;',
    "a;'＝1",
    'a; @x',
    'a;""+1',
    'a\n- b\r\n- c',
    'a\t=1',
    `;;"=cmd|' /C calc'!A0";`,
    ';\t;=1',
  ])('%j has no formula for a reader that ignores quotation marks, and comes back unchanged', (text) => {
    for (const piece of pieces(writeCell(text))) expect(piece).not.toMatch(/^[=+\-@%|＝＋－＠％｜]/);
    expect(readCell(writeCell(text))).toBe(text);
  });

  test('any text comes back unchanged', () => {
    const random = seededRandom();
    const of = [...signs, ...`'";, \u3000ab`.split('')];
    for (let round = 0; round < 5_000; round += 1) {
      const text = Array.from({ length: 1 + random.below(8) }, () => of[random.below(of.length)]).join('');
      expect(readCell(writeCell(saveText(text)))).toBe(text);
      for (const piece of pieces(writeCell(text))) expect(piece).not.toMatch(/^[=+\-@%|＝＋－＠％｜﹦﹢﹣﹫]/);
    }
  });

  test('a file without quotation marks around each cell is read as intended', async () => {
    const { id } = await shop.stock({ quantity: 10 });
    const file = `\ufeffid,name,description,origin\n${id},'=1+1,"'-hot, very",'' \n`;
    expect((await importCsv(file, true)).data.productImport).toMatchObject({ changed: 1, refused: 0 });
    expect(await forStaff(id)).toMatchObject({ name: '=1+1', description: '-hot, very', origin: "''" });
  });

  test('hostile names are exported as text, and an import of the export changes nothing', async () => {
    const { id: categoryId, name: category } = await shop.category();
    const names = [
      ...formulas,
      ...naughtyStrings.filter((text) => /^[^\0\ud800-\udfff]{1,120}$/.test(text)).slice(0, isNightly ? 100 : 20),
    ]
      .map((text) => text.trim())
      .filter(Boolean);
    for (const name of names) await shop.stock({ categoryId, name });
    const { body } = await exported({ category });
    const rows = rowsOf(body);
    expect(rows).toHaveLength(names.length);
    for (const row of rows) expect(row['name']).not.toMatch(/^[=+\-@%|＝＋－＠\t\r\n]/);
    const { data } = await importCsv(body, false);
    const changed = data.productImport.rows.filter(({ action }) => action !== 'nothing');
    expect(changed).toEqual([]);
  });
});

test.each([
  ['june1', 30],
  [' ', 50_000],
  ['" ', 50_000],
])('a text of %j, %i times, is read in the time that its length takes', (part, times) => {
  const text = `${part.repeat(times)}!`;
  expect(readCell(saveText(text))).toBe(text);
});
