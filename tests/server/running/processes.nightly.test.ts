/** The built shop as two processes behind one port, killed in turns. */
import { expect, inject, test } from 'vitest';
import { runDoubles } from '../../chaos/doubles';
import { openMarket } from '../../chaos/market';
import { builtApp } from '../../support/builtApp';
import { urlOf } from '../../support/globalSetup';
import { toldSeed } from '../../support/random';

const inTimeMs = 600_000;

test('a double submit is ordered and paid once', { timeout: inTimeMs }, async () => {
  await builtApp();
  const two = await openMarket(urlOf(inject('database').config), { processes: 2 });
  try {
    const found = await runDoubles(two, { submits: 60, seed: toldSeed() });
    expect(found).toMatchObject({ wrong: [], double: 0, orders: 60, paid: found.paidTwice });
    expect(found.kills).toBeGreaterThan(0);
  } finally {
    await two.close();
  }
});
