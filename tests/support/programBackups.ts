/** Backups of the shop as a program: nights pass by moving its records back in time, since its clock can't be moved. */
import { expect } from 'vitest';
import type { Schema } from '../../src/shared/contract';
import type { ShopProgram } from './shopProgram';

/** A job looks every minute whether a backup is due. */
const patience = { timeout: 180_000, interval: 250 };

export async function listBackups({ call, logIn }: ShopProgram): Promise<Schema<'Backup'>[]> {
  return (await call('listBackups', { headers: await logIn() })).data.backups;
}

export async function backupAlarms({ call, logIn }: ShopProgram) {
  const { data } = await call('listAlarms', { headers: await logIn(), query: { size: 100 } });
  return data.alarms.content.filter(({ kind }) => kind.startsWith('backup'));
}

/** Asks for a backup as the owner does. @returns it once it is good */
export async function backUp(shop: ShopProgram): Promise<Schema<'Backup'>> {
  const { data } = await shop.call('startBackup', { headers: await shop.logIn() });
  return untilBackup(shop, (backup) => backup.id === data.backup.id && backup.state === 'good');
}

/** @returns the newest backup that is as asked for */
export async function untilBackup(
  shop: ShopProgram,
  isMeant: (backup: Schema<'Backup'>) => boolean,
): Promise<Schema<'Backup'>> {
  const headers = await shop.logIn();
  let found: Schema<'Backup'> | undefined;
  const look = async () => {
    const { data } = await shop.call('listBackups', { headers });
    return (found = data.backups.find(isMeant)) !== undefined;
  };
  await expect.poll(look, patience).toBe(true);
  if (!found) throw new Error('there is no such backup');
  return found;
}

/** Moves all that the shop knows of backups a day back, so that the next one is due, and looks at once. */
export async function passNight({ query }: ShopProgram): Promise<void> {
  await query(`with moved as (
      update backups set started_at = started_at - interval '1 day', finished_at = finished_at - interval '1 day'
        where state in ('good', 'failed', 'damaged')
    ) update backup_schedule set since = since - interval '2 days'`);
  await query(`select graphile_worker.add_job('runBackups', '{}')`);
}
