import type { Schema } from '../../shared/contract';
import { settingsMessages as messages } from '../../shared/settings';
import { settingsForm } from '../../shared/settingsForms';
import { publicSettings } from '../../shared/settingTexts';
import type { Sessions } from '../auth/sessions/sessions';
import type { Connection } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import type { MailParts } from '../mail/send';
import { readServerState } from '../mail/serverState';
import { networkOf } from '../http/core/network';
import type { PictureStore } from '../pictures/files';
import { renderLogo, writeLogo } from '../pictures/logo';
import { presentLogo } from './presentLogo';
import { readSettings, updateLogo, updateSettings, type AllSettings, type SettingsCache } from './service';

type Parts = {
  sessions: Sessions;
  settings: SettingsCache;
  pictureStore: PictureStore;
  mail: MailParts;
  payments: { mode: Schema<'PaymentMode'> };
};

export function settingsRoutes(api: ContractApi, parts: Parts): void {
  const { sessions, pictureStore } = parts;
  const answerWith = async (connection: Connection, { settings, logo }: AllSettings) => {
    const { state: mailState } = await readServerState(connection, parts.mail.mailer);
    const sendsMail = mailState !== 'none';
    return { settings, logo: logo && presentLogo(logo), sendsMail, mailState, paymentMode: parts.payments.mode };
  };
  api.on('getSettings', async ({ db }) => ({
    message: messages.getSettings.success,
    data: await answerWith(db, await readSettings(db)),
  }));
  api.on(
    'updateSettings',
    async ({ tx, body, by, now }) => ({
      message: messages.updateSettings.success,
      data: await answerWith(tx, await updateSettings(tx, body, { sessions, by, now })),
    }),
    { form: settingsForm },
  );
  api.onPrepared(
    'setLogo',
    ({ body, session, request }) => renderLogo(body.file, { account: session.userId, network: networkOf(request.ip) }),
    async ({ tx, by, now, prepared: { files, ...logo } }) => {
      await writeLogo(pictureStore, files);
      return { message: messages.setLogo.success, data: await answerWith(tx, await updateLogo(tx, logo, { by, now })) };
    },
  );
  api.on('removeLogo', async ({ tx, by, now }) => ({
    message: messages.removeLogo.success,
    data: await answerWith(tx, await updateLogo(tx, null, { by, now })),
  }));
  api.on('getShop', async () => {
    const shop = { ...publicSettings(await parts.settings.get()), ...(await parts.settings.about()) };
    const logo = await parts.settings.logo();
    const checkout = await parts.settings.checkout();
    const pages = [...(await parts.settings.pages())];
    return {
      message: messages.getShop.success,
      data: { shop: { ...shop, ...(logo && { logo: presentLogo(logo) }), checkout, pages } },
    };
  });
}
