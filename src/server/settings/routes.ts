import type { Schema } from '../../shared/contract';
import { settingsMessages as messages } from '../../shared/settings';
import { settingsForm } from '../../shared/settingsForms';
import { publicSettings } from '../../shared/settingTexts';
import type { Sessions } from '../auth/sessions/sessions';
import type { Connection } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import type { MailParts } from '../mail/send';
import { readServerState } from '../mail/serverState';
import { readSettings, updateSettings, type SettingsCache } from './service';

export function settingsRoutes(
  api: ContractApi,
  parts: { sessions: Sessions; settings: SettingsCache; mail: MailParts; payments: { mode: Schema<'PaymentMode'> } },
): void {
  const readState = async (connection: Connection) => {
    const { state: mailState } = await readServerState(connection, parts.mail.mailer);
    return { sendsMail: mailState !== 'none', mailState, paymentMode: parts.payments.mode };
  };
  api.on('getSettings', async ({ db }) => ({
    message: messages.getSettings.success,
    data: { settings: await readSettings(db), ...(await readState(db)) },
  }));
  api.on(
    'updateSettings',
    async ({ tx, body, by, now }) => {
      const settings = await updateSettings(tx, body, { sessions: parts.sessions, by, now });
      return { message: messages.updateSettings.success, data: { settings, ...(await readState(tx)) } };
    },
    { form: settingsForm },
  );
  api.on('getShop', async () => {
    const shop = publicSettings(await parts.settings.get());
    const checkout = await parts.settings.checkout();
    const pages = [...(await parts.settings.pages())];
    return { message: messages.getShop.success, data: { shop: { ...shop, checkout, pages } } };
  });
}
