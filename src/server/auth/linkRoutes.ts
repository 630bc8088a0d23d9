/** Operations reached by mailed links: proving an address, taking it over, a new password, an invitation. */
import { authMessages } from '../../shared/authMessages';
import { forgotPasswordForm, resetPasswordForm, takeoverForm } from '../../shared/authForms';
import type { ContractApi } from '../http/contract/contract';
import { callerOf } from './caller';
import { createRememberDevice } from './sessions/cookies';
import { proveEmail } from './emailProof';
import { askForReset, resetPassword } from './passwordReset';
import { acceptInvitation } from './invitations';
import { takeOverAccount, type TakeoverParts } from './takeover';

export function linkRoutes(api: ContractApi, parts: TakeoverParts): void {
  const rememberDevice = createRememberDevice(parts.secrets);

  api.on('proveEmail', async ({ body, session, request, now }) => {
    await proveEmail(parts, body.token, session, callerOf(request), now);
    return { message: authMessages.proveEmail.success, data: {} };
  });

  api.on(
    'takeOverAccount',
    async ({ body, request, reply, now }) => {
      const user = await takeOverAccount(parts, body, callerOf(request), now);
      rememberDevice({ request, reply }, user);
      return { message: authMessages.takeOverAccount.success, data: {} };
    },
    { form: takeoverForm },
  );

  api.on(
    'acceptInvitation',
    async ({ body, request, reply, now }) => {
      const user = await acceptInvitation(parts, body, callerOf(request), now);
      rememberDevice({ request, reply }, user);
      return { message: authMessages.acceptInvitation.success, data: { email: user.email } };
    },
    { form: resetPasswordForm },
  );

  api.on(
    'resetPassword',
    async ({ body, request, reply, now }) => {
      const caller = callerOf(request);
      // the link proves the mailbox, so this browser becomes known and strangers' failed logins do not lock it out
      if ('token' in body) rememberDevice({ request, reply }, await resetPassword(parts, body, caller, now));
      else await askForReset(parts, body, caller, now);
      return { message: authMessages['token' in body ? 'resetPassword' : 'askForReset'].success, data: {} };
    },
    { form: (body) => (isReset(body) ? resetPasswordForm : forgotPasswordForm) },
  );
}

/** Whether the body comes from the page that the link opens, not from the one that requests the link. */
const isReset = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('token' in body || 'password' in body);
