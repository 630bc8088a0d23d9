import type { Schema } from '../../shared/contract';
import { sendExport } from '../audit/exports';
import { addressForm } from '../../shared/addressForms';
import { userMessages as messages } from '../../shared/users';
import { enabledUpdated, roleUpdated, userStaffMessages } from '../../shared/usersStaff';
import { invitationForm, newUserForm, profileForm } from '../../shared/usersForms';
import { usersList } from '../../shared/usersList';
import { fromCents } from '../../shared/money';
import { presentUser } from './core/present';
import { readUser, type UserWithAddresses } from './core/service';
import type { AuthParts } from '../auth/service';
import { requirePassword } from '../auth/passwordReset';
import { hashPassword, inTurn } from '../auth/factors/passwords';
import { withLongTimeout } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { networkOf } from '../http/core/network';
import { presentPage } from '../http/contract/paging';
import type { SettingsCache } from '../settings/service';
import { renderAvatar } from '../pictures/avatars';
import type { PictureStore } from '../pictures/files';
import { addAddress, removeAddress, updateAddress } from './addresses';
import { customerRoutes } from './customerRoutes';
import { inviteStaff } from '../auth/invitations';
import { removeOwnPicture, setOwnPicture } from './picture';
import { updateProfile } from './profile';
import { listPromotions } from './promotions';
import {
  createUserByStaff,
  endSessionsOfUser,
  readUserForStaff,
  refuseUnproven,
  storedRole,
  updateUserEnabled,
  updateUserRole,
} from './staff';
import { findUserLines, listUserIds, listUsers, userColumns } from './staffLists';

/** The contract layer has already rejected a {userId} that is not the session's. */
export function userRoutes(
  api: ContractApi,
  parts: AuthParts & { pictureStore: PictureStore; settings: SettingsCache },
): void {
  api.on('getUser', async ({ db, session }) =>
    userAnswer(messages.getUser.success, await readUser(db, session.userId)),
  );
  api.on(
    'updateProfile',
    async ({ body, request, session, by, now }) => {
      const user = await updateProfile(parts, body, { session, by, address: request.ip, now });
      return userAnswer(user.email === body.email ? messages.updateProfile.success : messages.emailWaits, user);
    },
    { form: profileForm },
  );
  api.on(
    'addAddress',
    async ({ tx, body, session: { userId }, by, now }) =>
      userAnswer(messages.addAddress.success, await addAddress(tx, { userId, by, now }, body)),
    { form: async () => addressForm(await parts.settings.get()) },
  );
  api.on(
    'updateAddress',
    async ({ tx, params, body, session: { userId }, by, now }) =>
      userAnswer(messages.updateAddress.success, await updateAddress(tx, { userId, by, now }, params.addressId, body)),
    { form: async () => addressForm(await parts.settings.get()) },
  );
  api.on('removeAddress', async ({ tx, params, session: { userId }, by, now }) =>
    userAnswer(messages.removeAddress.success, await removeAddress(tx, { userId, by, now }, params.addressId)),
  );
  pictureRoutes(api, parts.pictureStore);
  staffRoutes(api, parts);
  customerRoutes(api);
}

function pictureRoutes(api: ContractApi, store: PictureStore): void {
  api.onPrepared(
    'setOwnPicture',
    ({ body, session, request }) =>
      renderAvatar(body.file, { account: session.userId, network: networkOf(request.ip) }),
    async ({ tx, session: { userId }, by, now, prepared }) =>
      userAnswer(messages.setOwnPicture.success, await setOwnPicture(tx, store, { userId, by, now }, prepared)),
  );
  api.on('removeOwnPicture', async ({ tx, session: { userId }, by, now }) =>
    userAnswer(messages.removeOwnPicture.success, await removeOwnPicture(tx, store, { userId, by, now })),
  );
}

function staffRoutes(
  api: ContractApi,
  { sessions, secrets, settings }: Pick<AuthParts, 'sessions' | 'secrets'> & { settings: SettingsCache },
): void {
  api.on('listUsers', async ({ db, query: { page = 0, size = 10, ...list } }) => {
    const { rows, totalElements } = await listUsers(db, list, { page, size });
    return {
      message: userStaffMessages.listUsers.success,
      data: { users: presentPage(rows.map(presentListed), totalElements, { page, size }) },
    };
  });
  api.serve('exportUsers', async ({ query, ...call }) => {
    const ids = await withLongTimeout(call.db, (tx) => listUserIds(tx, query));
    const { timeZone } = await settings.get();
    const read = (some: string[]) => findUserLines(call.db, some);
    return sendExport(call, usersList.file, { timeZone, columns: userColumns, ids, read });
  });
  api.on('endSessionsOfUser', async ({ tx, params, by, now }) => {
    const ended = await endSessionsOfUser(tx, params.userId.toLowerCase(), { sessions, by, now });
    return { message: userStaffMessages.endSessionsOfUser.success, data: { ended } };
  });
  api.on('getUserForStaff', async ({ db, params }) =>
    userAnswer(messages.getUser.success, await readUserForStaff(db, params.id)),
  );
  api.onPrepared(
    'createUser',
    async ({ db, body: { email, password, role }, session, request }) => {
      requirePassword(password, { role: storedRole(role) });
      await refuseUnproven(db, email, request.ip);
      // queued by staff account, not by network: staff do not wait behind visitors of the same network
      return inTurn({ account: email, address: session.userId }, () => hashPassword(password));
    },
    async ({ tx, body, prepared, by, now }) =>
      userAnswer(
        userStaffMessages.createUser.success,
        await createUserByStaff(tx, body, prepared, { sessions, by, now }),
      ),
    { form: async () => newUserForm(await settings.get()) },
  );
  api.on(
    'inviteStaff',
    async ({ tx, body, by, now }) => {
      await inviteStaff(tx, body, { secrets, by, now });
      return { message: userStaffMessages.inviteStaff.success, data: {} };
    },
    { form: invitationForm },
  );
  api.on('listPromotions', async ({ db, params, query: { page = 0, size = 10 } }) => {
    const { by, content, totalElements } = await listPromotions(db, params.userId.toLowerCase(), { page, size });
    const promotions = content.map(({ user, at, ...rest }) => ({
      ...rest,
      user: presentUser(user),
      at: at.toISOString(),
    }));
    return {
      message: userStaffMessages.listPromotions.success,
      data: { by, promotions: presentPage(promotions, totalElements, { page, size }) },
    };
  });
  api.on('updateUserRole', async ({ tx, params, query: { role }, by, now }) => {
    const user = await updateUserRole(tx, params.userId.toLowerCase(), storedRole(role), { sessions, by, now });
    return userAnswer(roleUpdated(role), user);
  });
  api.on('updateUserEnabled', async ({ tx, params, body: { isEnabled }, by, now }) => {
    const user = await updateUserEnabled(tx, params.userId.toLowerCase(), isEnabled, { sessions, by, now });
    return userAnswer(enabledUpdated(isEnabled), user);
  });
}

const userAnswer = (message: string, user: UserWithAddresses) => ({ message, data: { user: presentUser(user) } });

type Listed = Awaited<ReturnType<typeof listUsers>>['rows'][number];

const presentListed = ({ user, figures: { orders, spentCents } }: Listed): Schema<'User'> => ({
  ...presentUser(user),
  orders,
  spent: fromCents(spentCents),
});
