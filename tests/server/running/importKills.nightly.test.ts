/** A shop that moves here is killed in the middle of it, several times (tests/chaos/importKills.ts). */
import { beforeAll, expect, test } from 'vitest';
import { runImportKills } from '../../chaos/importKills';
import { builtApp } from '../../support/builtApp';
import { oldShops } from '../../support/oldShops';
import { toldSeed } from '../../support/random';

const inTimeMs = 1_800_000;
beforeAll(() => builtApp(), inTimeMs);

const report = (line: string) => void process.stderr.write(`${line}\n`);

test.each(oldShops)(
  'an import from $source that is killed again and again has each row, its stock, and its photos once, and is undone',
  { timeout: inTimeMs },
  async (from) => {
    const databaseUrl = process.env['TEST_DATABASE_URL'] || undefined;
    const options = { from, products: 500, kills: 4, seed: toldSeed(), databaseUrl, report };
    const { wrong, kills, ...totals } = await runImportKills(options);
    report(`${from.source}: ${JSON.stringify({ kills, ...totals })}`);
    expect(wrong).toEqual([]);
    expect(kills).toEqual({ rows: 4, photos: 4, undo: 4 });
  },
);
