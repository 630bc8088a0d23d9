/** One success and every error of the operations of invitations, for the contract test. */
import type { Scenarios } from './accountScenarios';
import { invitationTokenOf, longPassword } from './accounts';
import { newcomer, openAccount } from './auth';
import type { TestShop } from './shop';

export function invitationScenarios(shop: () => TestShop): Scenarios {
  const invite = async (email = newcomer().email) =>
    shop().call('inviteStaff', {
      as: await shop().signIn({ role: 'ROLE_ADMIN' }),
      body: { fullName: 'Example Admin', email, role: 'ROLE_ADMIN' },
    });
  const invited = async () => {
    const { email } = newcomer();
    await invite(email);
    return { email, token: await invitationTokenOf(shop(), email) };
  };
  const accept = (token: string) =>
    shop().call('acceptInvitation', { body: { token, password: longPassword, confirmPassword: longPassword } });
  return {
    inviteStaff: {
      success: () => invite(),
      email_taken: async () => invite((await openAccount(shop())).email),
    },
    acceptInvitation: {
      success: async () => accept((await invited()).token),
      invitation_invalid: () => accept('made up'),
      email_taken: async () => {
        const { email, token } = await invited();
        await openAccount(shop(), { email });
        return accept(token);
      },
    },
  };
}
