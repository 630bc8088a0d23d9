/** One success and every error of the operations about backups, for the contract test. */
import { randomUUID } from 'node:crypto';
import { defaultSchedule } from '../../src/shared/backups';
import { bearer, longPassword, newStaff, switchOnFactor } from './accounts';
import type { Scenarios } from './accountScenarios';
import type { SignedIn } from './auth';
import type { TestShop } from './shop';

export function backupScenarios(shop: () => TestShop): Scenarios {
  const owner = () => newStaff(shop(), 'ROLE_OWNER');
  /** A finished backup, made on request. */
  const backedUp = async (by: SignedIn): Promise<string> => {
    const { data } = await shop().call('startBackup', { headers: bearer(by) });
    await shop().jobs.runBackups();
    return data.backup.id;
  };
  const open = (by: SignedIn, backupId: string, body: object = { password: longPassword }) =>
    shop().call('openBackupDownload', { headers: bearer(by), path: { backupId }, body });
  const download = (by: SignedIn, backupId: string, token: string) =>
    shop().call('downloadBackup', { headers: bearer(by), path: { backupId }, query: { token } });
  const tokenOf = async (by: SignedIn, backupId: string) =>
    new URL((await open(by, backupId)).data.link.url, shop().url).searchParams.get('token') ?? '';
  /** As after a move to another machine. */
  const elsewhere = (backupId: string) =>
    shop().pool.query('update backups set place = $1 where id = $2', [randomUUID(), backupId]);

  return {
    listBackups: { success: async () => shop().call('listBackups', { headers: bearer(await owner()) }) },
    startBackup: {
      success: async () => {
        const answer = await shop().call('startBackup', { headers: bearer(await owner()) });
        await shop().jobs.runBackups();
        return answer;
      },
      backup_running: async () => {
        const by = await owner();
        await shop().call('startBackup', { headers: bearer(by) });
        const answer = await shop().call('startBackup', { headers: bearer(by) });
        await shop().jobs.runBackups();
        return answer;
      },
    },
    setBackups: {
      success: async () => shop().call('setBackups', { headers: bearer(await owner()), body: defaultSchedule }),
    },
    openBackupDownload: {
      success: async () => {
        const by = await owner();
        return open(by, await backedUp(by));
      },
      wrong_password: async () => {
        const by = await owner();
        return open(by, await backedUp(by), { password: 'not the password' });
      },
      wrong_code: async () => {
        const by = await owner();
        await switchOnFactor(shop(), by, longPassword);
        return open(by, await backedUp(by), { password: longPassword, otp: 'no code' });
      },
      too_many_attempts: async () => {
        const by = await owner();
        const id = await backedUp(by);
        for (let attempt = 0; attempt < 20; attempt++) await open(by, id, { password: 'not the password' });
        return open(by, id, { password: 'not the password' });
      },
      backup_not_found: async () => open(await owner(), randomUUID()),
      backup_not_here: async () => {
        const by = await owner();
        const id = await backedUp(by);
        await elsewhere(id);
        return open(by, id);
      },
    },
    downloadBackup: {
      success: async () => {
        const by = await owner();
        const id = await backedUp(by);
        return download(by, id, await tokenOf(by, id));
      },
      download_link_invalid: async () => download(await owner(), randomUUID(), 'none'),
      backup_not_found: async () => {
        const by = await owner();
        const id = await backedUp(by);
        const token = await tokenOf(by, id);
        await shop().pool.query('delete from backups where id = $1', [id]);
        return download(by, id, token);
      },
      backup_not_here: async () => {
        const by = await owner();
        const id = await backedUp(by);
        const token = await tokenOf(by, id);
        await elsewhere(id);
        return download(by, id, token);
      },
    },
  };
}
