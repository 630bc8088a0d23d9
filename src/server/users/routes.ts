import { addressForm } from '../../shared/addressForms';
import { enabledUpdated, roleUpdated, userSays as says } from '../../shared/users';
import { newUserForm, profileForm } from '../../shared/usersForms';
import { presentUser } from '../account/present';
import { readUser, type UserWithAddresses } from '../account/service';
import type { AuthParts } from '../auth/service';
import { requirePassword } from '../auth/passwordReset';
import { hashPassword, inTurn } from '../auth/passwords';
import { unhurried } from '../db/transact';
import type { ContractApi } from '../http/contract';
import { sendCsv } from '../http/csv';
import { presentPage } from '../http/paging';
import { addAddress, removeAddress, updateAddress } from './addresses';
import { proveForEmail, updateProfile } from './profile';
import {
  createUserByStaff,
  endSessionsOfUser,
  readUserForStaff,
  storedRole,
  updateUserEnabled,
  updateUserRole,
} from './staff';
import { findUserLines, listUserIds, listUsers, userColumns } from './staffLists';

/** The contract layer has refused a {userId} that is not the session's. */
export function userRoutes(api: ContractApi, { sessions }: Pick<AuthParts, 'sessions'>): void {
  api.on('getUser', async ({ db, session }) => userAnswer(says.getUser.success, await readUser(db, session.userId)));
  api.onPrepared(
    'updateProfile',
    ({ db, session, body, now }) => proveForEmail(db, session, body, now),
    async ({ tx, body, prepared, ...call }) =>
      userAnswer(says.updateProfile.success, await updateProfile(tx, body, prepared, call)),
    { form: profileForm },
  );
  api.on(
    'addAddress',
    async ({ tx, body, session: { userId }, by, now }) =>
      userAnswer(says.addAddress.success, await addAddress(tx, { userId, by, now }, body)),
    { form: addressForm },
  );
  api.on(
    'updateAddress',
    async ({ tx, params, body, session: { userId }, by, now }) =>
      userAnswer(says.updateAddress.success, await updateAddress(tx, { userId, by, now }, params.addressId, body)),
    { form: addressForm },
  );
  api.on('removeAddress', async ({ tx, params, session: { userId }, by, now }) =>
    userAnswer(says.removeAddress.success, await removeAddress(tx, { userId, by, now }, params.addressId)),
  );
  staffRoutes(api, sessions);
}

function staffRoutes(api: ContractApi, sessions: AuthParts['sessions']): void {
  api.on('listUsers', async ({ db, query: { page = 0, size = 10, ...list } }) => {
    const { rows, totalElements } = await listUsers(db, list, { page, size });
    return {
      message: says.listUsers.success,
      data: { users: presentPage(rows.map(presentUser), totalElements, { page, size }) },
    };
  });
  api.serve('exportUsers', async ({ db, query, now, reply }) =>
    sendCsv(reply, {
      name: 'users',
      now,
      columns: userColumns,
      ids: await unhurried(db, (tx) => listUserIds(tx, query)),
      read: (ids) => findUserLines(db, ids),
    }),
  );
  api.on('endSessionsOfUser', async ({ tx, params, by, now }) => {
    const ended = await endSessionsOfUser(tx, params.userId.toLowerCase(), { sessions, by, now });
    return { message: says.endSessionsOfUser.success, data: { ended } };
  });
  api.on('getUserForStaff', async ({ db, params }) =>
    userAnswer(says.getUser.success, await readUserForStaff(db, params.id)),
  );
  api.onPrepared(
    'createUser',
    async ({ body: { password, role } }) => {
      requirePassword(password, { role: storedRole(role) });
      return inTurn(() => hashPassword(password));
    },
    async ({ tx, body, prepared, by, now }) =>
      userAnswer(says.createUser.success, await createUserByStaff(tx, body, prepared, { sessions, by, now })),
    { form: newUserForm },
  );
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
