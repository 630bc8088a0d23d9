/** Account security: password, second factor, list of sessions. */
import { authMessages } from '../../shared/authMessages';
import { passwordChangeForm, passwordProofForm, secondFactorForm, secondFactorProofForm } from '../../shared/authForms';
import type { ContractApi } from '../http/contract/contract';
import { clearSessionCookies, createRememberDevice } from './sessions/cookies';
import { sendProofLink } from './emailProof';
import { endOtherSessions, endSession, listSessions } from './sessions/userSessions';
import { changePassword, preparePasswordChange } from './passwordChange';
import { beginSecondFactor, confirmSecondFactor, disableSecondFactor, newRecoveryCodes } from './secondFactorSetup';
import type { AuthParts } from './service';

/** The contract layer has already rejected a {userId} that is not the session's. */
export function accountRoutes(api: ContractApi, parts: AuthParts): void {
  const { sessions, secrets } = parts;
  const rememberDevice = createRememberDevice(secrets);

  api.on('sendProofLink', async ({ session, request, now }) => {
    await sendProofLink(parts, session, { address: request.ip }, now);
    return { message: authMessages.sendProofLink.success, data: {} };
  });

  api.onPrepared(
    'changePassword',
    ({ db, ...call }) => preparePasswordChange(db, call),
    async ({ tx, prepared, ...call }) => {
      rememberDevice(call, await changePassword(tx, sessions, prepared, call));
      return { message: authMessages.changePassword.success, data: {} };
    },
    { form: passwordChangeForm },
  );

  api.on('listSessions', async ({ db, session, now }) => ({
    message: authMessages.listSessions.success,
    data: { sessions: await listSessions(db, session, now) },
  }));
  api.on('endSession', async ({ tx, params, reply, ...call }) => {
    const { session, now } = call;
    const id = params.sessionId.toLowerCase();
    await endSession(tx, sessions, id, call);
    if (id === session.familyId) clearSessionCookies(reply);
    return { message: authMessages.endSession.success, data: { sessions: await listSessions(tx, session, now) } };
  });
  api.on('endOtherSessions', async ({ tx, ...call }) => {
    await endOtherSessions(tx, sessions, call);
    const { session, now } = call;
    return { message: authMessages.endOtherSessions.success, data: { sessions: await listSessions(tx, session, now) } };
  });

  api.on(
    'beginSecondFactor',
    async ({ body, ...call }) => ({
      message: authMessages.beginSecondFactor.success,
      data: { secondFactor: await beginSecondFactor(parts, body.password, call) },
    }),
    { form: passwordProofForm },
  );
  api.on(
    'confirmSecondFactor',
    async ({ body, ...call }) => {
      const { user, recoveryCodes } = await confirmSecondFactor(parts, body.otp, call);
      rememberDevice(call, user);
      return { message: authMessages.confirmSecondFactor.success, data: { recoveryCodes } };
    },
    { form: secondFactorForm },
  );
  api.on(
    'newRecoveryCodes',
    async ({ body, ...call }) => ({
      message: authMessages.newRecoveryCodes.success,
      data: { recoveryCodes: await newRecoveryCodes(parts, body, call) },
    }),
    { form: secondFactorProofForm },
  );
  api.on(
    'disableSecondFactor',
    async ({ body, ...call }) => {
      rememberDevice(call, await disableSecondFactor(parts, body, call));
      return { message: authMessages.disableSecondFactor.success, data: {} };
    },
    { form: secondFactorProofForm },
  );
}
