import { settingsMessages as messages } from '../../shared/settings';
import { settingsForm } from '../../shared/settingsForms';
import { publicSettings } from '../../shared/settingTexts';
import type { Sessions } from '../auth/sessions/sessions';
import type { ContractApi } from '../http/contract/contract';
import type { Mailer } from '../mail/mailer';
import type { Payments } from '../payments/provider';
import { modeOf } from '../payments/status';
import { readSettings, updateSettings, type SettingsCache } from './service';

export function settingsRoutes(
  api: ContractApi,
  parts: {
    sessions: Sessions;
    settings: SettingsCache;
    mail: { mailer: Pick<Mailer, 'delivers'> };
    payments: Pick<Payments, 'isLive'>;
  },
): void {
  const state = { sendsMail: parts.mail.mailer.delivers, paymentMode: modeOf(parts.payments) };
  api.on('getSettings', async ({ db }) => ({
    message: messages.getSettings.success,
    data: { settings: await readSettings(db), ...state },
  }));
  api.on(
    'updateSettings',
    async ({ tx, body, by, now }) => ({
      message: messages.updateSettings.success,
      data: { settings: await updateSettings(tx, body, { sessions: parts.sessions, by, now }), ...state },
    }),
    { form: settingsForm },
  );
  api.on('getShop', async () => {
    const shop = publicSettings(await parts.settings.get());
    const checkout = await parts.settings.checkout();
    const pages = [...(await parts.settings.pages())];
    return { message: messages.getShop.success, data: { shop: { ...shop, checkout, pages } } };
  });
}
