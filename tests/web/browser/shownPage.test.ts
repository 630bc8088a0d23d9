import { Dexie, type Table } from 'dexie';
import { expect, test } from 'vitest';
import { abortedWithPage, retryWhenShown, whenShown } from '../../../src/web/browser/shownPage';

const database = new Dexie('tried');
database.version(1).stores({ rows: '' });
database.use(abortedWithPage);
const rows: Table<string, number> = database.table('rows');

const told = (type: 'pagehide' | 'pageshow', persisted: boolean) =>
  window.dispatchEvent(Object.assign(new Event(type), { persisted }));

/** Writes like a page that is left midway. */
async function writeAndLeave(persisted: boolean): Promise<unknown> {
  const written = database.transaction('rw', rows, async () => {
    await rows.put('half', 1);
    told('pagehide', persisted);
    await rows.put('whole', 1);
  });
  return written.then(
    () => 'done',
    (error: Error) => error.name,
  );
}

test('a hidden page gives up its writes, and blocks no other page', async () => {
  expect(await writeAndLeave(true)).toMatch(/^(?:Abort|InvalidState)Error$/);
  const other = await new Dexie('tried').open();
  expect(await other.table('rows').get(1)).toBeUndefined();
  other.close();
  told('pageshow', true);
});

test('a closing page resumes nothing', async () => {
  expect(await writeAndLeave(false)).toBe('done');
  expect(await rows.get(1)).toBe('whole');
});

test('a hidden page begins nothing before it is shown again', async () => {
  told('pagehide', true);
  await expect(rows.get(1)).rejects.toMatchObject({ name: 'AbortError' });
  const order: string[] = [];
  const begun = whenShown().then(() => order.push('begun'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  order.push('shown');
  told('pageshow', true);
  await begun;
  expect(order).toEqual(['shown', 'begun']);
});

test('what was given up is done when the page is shown again, and other failures still fail', async () => {
  let times = 0;
  const done = retryWhenShown(async () => {
    times += 1;
    return database.transaction('rw', rows, async () => {
      await rows.get(1);
      if (times === 1) {
        told('pagehide', true);
        setTimeout(() => told('pageshow', true), 20);
      }
      return rows.put('again', 2);
    });
  });
  expect(await done).toBe(2);
  expect([times, await rows.get(2)]).toEqual([2, 'again']);
  await expect(retryWhenShown(async () => Promise.reject(new Error('full')))).rejects.toThrow('full');
});
