import { emailSettingsMessages as messages } from '../../shared/emailSettings';
import { emailSettingsForm, testEmailForm } from '../../shared/emailSettingsForms';
import type { ContractApi } from '../http/contract/contract';
import { readEmailSettings, removeMailServer, sendTestEmail, setEmailSettings, type EmailParts } from './emailSettings';

export function emailSettingsRoutes(api: ContractApi, parts: EmailParts): void {
  api.on('getEmailSettings', async () => ({
    message: messages.getEmailSettings.success,
    data: { email: await readEmailSettings(parts) },
  }));
  api.on(
    'setEmailSettings',
    async ({ body, ...call }) => ({
      message: messages.setEmailSettings.success,
      data: { email: await setEmailSettings(parts, body, call) },
    }),
    { form: emailSettingsForm },
  );
  api.on('removeMailServer', async ({ body, ...call }) => ({
    message: messages.removeMailServer.success,
    data: { email: await removeMailServer(parts, body, call) },
  }));
  api.on(
    'sendTestEmail',
    async ({ body, ...call }) => ({
      message: messages.sendTestEmail.success,
      data: await sendTestEmail(parts, body.to, call),
    }),
    { form: testEmailForm },
  );
}
