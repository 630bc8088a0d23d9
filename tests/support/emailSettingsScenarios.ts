/** One success and every error of the operations about the mail server, for the contract test. */
import { bearer, longPassword, otpOf, switchOnFactor } from './accounts';
import type { SignedIn } from './auth';
import type { Scenario, Scenarios } from './accountScenarios';
import { forgetServer, newOwner, setServer, someServer } from './emailSettings';
import type { TestShop } from './shop';

export function emailSettingsScenarios(shop: () => TestShop): Scenarios {
  /** The other scenarios read mails from files, so no mail server stays. */
  const withoutServer =
    (call: Scenario): Scenario =>
    async () => {
      try {
        return await call();
      } finally {
        await forgetServer(shop());
      }
    };
  const sendTest = async (jwt?: string) => {
    const as = jwt === undefined ? await newOwner(shop()) : { jwt };
    return shop().call('sendTestEmail', { headers: bearer(as), body: { to: 'owner@example.com' } });
  };
  const withServer = async () => {
    const owner = await newOwner(shop());
    await setServer(shop(), owner);
    return owner;
  };
  const remove = (owner: Pick<SignedIn, 'jwt'>, proof: object = {}) =>
    shop().call('removeMailServer', { headers: bearer(owner), body: { password: longPassword, ...proof } });
  return {
    getEmailSettings: {
      success: async () => shop().call('getEmailSettings', { as: await shop().signIn({ role: 'ROLE_OWNER' }) }),
    },
    setEmailSettings: {
      success: withoutServer(async () => setServer(shop(), await newOwner(shop()))),
      wrong_password: async () => setServer(shop(), await newOwner(shop()), { currentPassword: 'not the password' }),
      wrong_code: async () => {
        const owner = await newOwner(shop());
        const { secret } = await switchOnFactor(shop(), owner, longPassword);
        const wrong = otpOf(shop(), secret) === '000000' ? '111111' : '000000';
        return setServer(shop(), owner, { otp: wrong });
      },
      email_settings_fixed: async () => {
        const { mailer } = shop().mail;
        mailer.fixed = someServer; // as with SMTP_URL
        const answer = await setServer(shop(), await newOwner(shop()));
        mailer.fixed = undefined;
        return answer;
      },
      too_many_attempts: async () => {
        const owner = await newOwner(shop());
        for (let n = 0; n < 5; n++) await setServer(shop(), owner, { currentPassword: 'not the password' });
        return setServer(shop(), owner);
      },
    },
    removeMailServer: {
      success: async () => remove(await withServer()),
      wrong_password: withoutServer(async () => remove(await withServer(), { password: 'not the password' })),
      wrong_code: withoutServer(async () => {
        const owner = await withServer();
        const { secret } = await switchOnFactor(shop(), owner, longPassword);
        return remove(owner, { otp: otpOf(shop(), secret) === '000000' ? '111111' : '000000' });
      }),
      email_settings_fixed: async () => {
        const { mailer } = shop().mail;
        mailer.fixed = someServer; // as with SMTP_URL
        const answer = await remove(await newOwner(shop()));
        mailer.fixed = undefined;
        return answer;
      },
      no_mail_server: async () => remove(await newOwner(shop())),
      too_many_attempts: withoutServer(async () => {
        const owner = await withServer();
        for (let n = 0; n < 5; n++) await remove(owner, { password: 'not the password' });
        return remove(owner);
      }),
    },
    sendTestEmail: {
      success: withoutServer(async () => {
        const owner = await newOwner(shop());
        await setServer(shop(), owner);
        return sendTest(owner.jwt);
      }),
      no_mail_server: () => sendTest(),
      too_many_attempts: withoutServer(async () => {
        const owner = await newOwner(shop());
        await setServer(shop(), owner);
        for (let n = 0; n < 20; n++) await sendTest(owner.jwt);
        return sendTest(owner.jwt);
      }),
    },
  };
}
