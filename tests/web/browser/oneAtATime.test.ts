import { expect, test } from 'vitest';
import { oneAtATime } from '../../../src/web/browser/oneAtATime';

test('a request during a run, however late, causes one more run', async () => {
  for (let steps = 0; steps < 8; steps++) {
    let runs = 0;
    const request = oneAtATime(async () => void (runs += 1));
    const first = request();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    await Promise.all([first, request()]);
    expect(runs, `${steps} steps later`).toBe(2);
  }
});

test('a run that fails lets the next one start', async () => {
  let runs = 0;
  const request = oneAtATime(async () => {
    runs += 1;
    if (runs === 1) throw new Error('no network');
  });
  await expect(request()).rejects.toThrow('no network');
  await request();
  expect(runs).toBe(2);
});
