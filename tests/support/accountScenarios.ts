/** One success and every error of the account operations, for the contract test. */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/shared/contract';
import {
  bearer,
  customerWithFactor,
  longPassword,
  newStaff,
  password,
  proofTokenOf,
  resetToken,
  setPassword,
  takeoverTokenOf,
} from './accounts';
import { logIn, newcomer, newCustomer, openAccount, openUnprovenAccount, type SignedIn } from './auth';
import { placedOrder, putInCart } from './buying';
import { signInWithFactor, times, wrong } from './secondFactorScenarios';
import type { Answer, Person, TestShop } from './shop';

export type Scenario = () => Promise<Pick<Answer<OperationId>, 'status' | 'code' | 'statements'>>;
export type Scenarios = Partial<Record<OperationId, Record<string, Scenario>>>;

const address = { street: '1 Palm Road', city: 'Savannah', state: 'GA', postalCode: '31401' };

export function accountScenarios(shop: () => TestShop): Scenarios {
  const path = (person: SignedIn) => ({ userId: person.user.id });
  const changePassword = (person: SignedIn, currentPassword = password) =>
    shop().call('changePassword', {
      path: path(person),
      headers: bearer(person),
      body: { currentPassword, password: longPassword, confirmPassword: longPassword },
    });
  const profile = (person: SignedIn, changes: object = {}) =>
    shop().call('updateProfile', {
      path: path(person),
      headers: bearer(person),
      body: { fullName: 'Ana', email: person.user.email, description: null, ...changes },
    });
  const addAddress = (person: SignedIn) =>
    shop().call('addAddress', { path: path(person), headers: bearer(person), body: address });
  const newUser = (changes: object = {}) => ({
    ...newcomer({ password: longPassword, confirmPassword: longPassword }),
    role: 'ROLE_ADMIN',
    ...changes,
  });
  const withFactor = () => signInWithFactor(shop());
  const staff = (role: 'ROLE_ADMIN' | 'ROLE_OWNER') => shop().signIn({ role });
  const setRole = async (userId: string, as = staff('ROLE_ADMIN')) =>
    shop().call('updateUserRole', { as: await as, path: { userId }, query: { role: 'ROLE_ADMIN' } });
  const promotionsOf = async (userId: string) =>
    shop().call('listPromotions', { as: await staff('ROLE_OWNER'), path: { userId } });
  const switchOff = async (userId: string) =>
    shop().call('updateUserEnabled', {
      as: await staff('ROLE_OWNER'),
      path: { userId },
      body: { isEnabled: false },
    });

  /** A user's address that a stranger registered, and the token that was mailed to it. */
  const squatted = async () => {
    const { email } = await openUnprovenAccount(shop());
    await shop().call('register', { body: newcomer({ email }) });
    return { email, token: await takeoverTokenOf(shop(), email) };
  };
  const takeOver = (token: string) =>
    shop().call('takeOverAccount', { body: { token, fullName: 'Ana', password, confirmPassword: password } });
  const link = async (as: Person) => shop().call('sendProofLink', { as, body: {} });

  const ofCustomer = (call: (as: Person, path: { id: string }) => ReturnType<Scenario>) => ({
    success: async () => call(await staff('ROLE_ADMIN'), { id: (await shop().signIn()).userId }),
    user_not_found: async () => call(await staff('ROLE_ADMIN'), { id: randomUUID() }),
  });

  return {
    proveEmail: {
      success: async () => {
        const account = await openUnprovenAccount(shop());
        const token = await proofTokenOf(shop(), account.email);
        return shop().call('proveEmail', { body: { token }, headers: bearer(await logIn(shop(), account)) });
      },
      email_link_invalid: () => shop().call('proveEmail', { body: { token: 'no token of ours' } }),
      email_taken: async () => {
        const { email } = newcomer();
        const admin = await newStaff(shop());
        await profile(admin, { email, password: longPassword });
        const token = await proofTokenOf(shop(), email);
        await openAccount(shop(), { email });
        return shop().call('proveEmail', { body: { token }, headers: bearer(admin) });
      },
    },
    takeOverAccount: {
      success: async () => takeOver((await squatted()).token),
      email_link_invalid: () => takeOver('no token of ours'),
      payment_unavailable: async () => {
        const { email, token } = await squatted();
        const stranger = await logIn(shop(), { email, password });
        const { data } = await shop().call('getCart', { path: path(stranger), headers: bearer(stranger) });
        const cartId = data.cartResponse.cartId;
        const as: Person = { ...stranger.user, userId: stranger.user.id, cartId, token: stranger.jwt };
        await putInCart(shop(), as, (await shop().stock()).id);
        await placedOrder(shop(), as);
        await shop().control('fault', { next: 2, kind: '503' });
        return takeOver(token);
      },
    },
    sendProofLink: {
      success: async () => link(await shop().signIn({ isEmailProven: false })),
      email_proven: async () => link(await shop().signIn()),
      too_many_attempts: async () => {
        const ana = await shop().signIn({ isEmailProven: false });
        await times(3, () => link(ana));
        return link(ana);
      },
    },
    resetPassword: {
      success: async () => {
        const { email } = await openAccount(shop());
        return setPassword(shop(), await resetToken(shop(), email));
      },
      reset_link_invalid: () => setPassword(shop(), 'no token of ours'),
      too_many_attempts: async () => {
        const { email } = newcomer();
        const ask = () => shop().call('resetPassword', { body: { email } });
        await times(3, ask);
        return ask();
      },
    },
    changePassword: {
      success: async () => changePassword(await newCustomer(shop())),
      wrong_password: async () => changePassword(await newCustomer(shop()), wrong),
      too_many_attempts: async () => {
        const ana = await newCustomer(shop());
        await times(5, () => changePassword(ana, wrong));
        return changePassword(ana);
      },
    },
    updateProfile: {
      success: async () => profile(await newCustomer(shop())),
      wrong_password: async () => profile(await newCustomer(shop()), { email: newcomer().email, password: wrong }),
      wrong_code: async () => {
        const { person } = await withFactor();
        return profile(person, { email: newcomer().email, password, otp: '000000' });
      },
      email_taken: async () => {
        const { email } = await openAccount(shop());
        return profile(await newCustomer(shop()), { email, password });
      },
      too_many_attempts: async () => {
        const ana = await newCustomer(shop());
        const guess = () => profile(ana, { email: newcomer().email, password: wrong });
        await times(5, guess);
        return guess();
      },
    },
    addAddress: {
      success: async () => addAddress(await newCustomer(shop())),
      too_many_addresses: async () => {
        const ana = await newCustomer(shop());
        await times(19, () => addAddress(ana));
        return addAddress(ana);
      },
    },
    updateAddress: {
      success: async () => {
        const ana = await newCustomer(shop());
        const addressId = ana.user.addresses[0]?.id ?? '';
        const headers = bearer(ana);
        return shop().call('updateAddress', { path: { ...path(ana), addressId }, headers, body: address });
      },
      address_not_found: async () => {
        const ana = await newCustomer(shop());
        const headers = bearer(ana);
        return shop().call('updateAddress', {
          path: { ...path(ana), addressId: randomUUID() },
          headers,
          body: address,
        });
      },
    },
    removeAddress: {
      success: async () => {
        const ana = await newCustomer(shop());
        const addressId = ana.user.addresses[0]?.id ?? '';
        return shop().call('removeAddress', { path: { ...path(ana), addressId }, headers: bearer(ana) });
      },
      address_not_found: async () => {
        const ana = await newCustomer(shop());
        return shop().call('removeAddress', { path: { ...path(ana), addressId: randomUUID() }, headers: bearer(ana) });
      },
    },
    listSessions: {
      success: async () => {
        const ana = await newCustomer(shop());
        return shop().call('listSessions', { path: path(ana), headers: bearer(ana) });
      },
    },
    endSession: {
      success: async () => {
        const ana = await newCustomer(shop());
        const sessionId = ana.refreshToken.slice(0, 36);
        return shop().call('endSession', { path: { ...path(ana), sessionId }, headers: bearer(ana) });
      },
      session_not_found: async () => {
        const ana = await newCustomer(shop());
        return shop().call('endSession', { path: { ...path(ana), sessionId: randomUUID() }, headers: bearer(ana) });
      },
    },
    endOtherSessions: {
      success: async () => {
        const ana = await newCustomer(shop());
        return shop().call('endOtherSessions', { path: path(ana), headers: bearer(ana) });
      },
    },
    listUsers: { success: async () => shop().call('listUsers', { as: await staff('ROLE_ADMIN') }) },
    getUserForStaff: {
      success: async () => {
        const { userId: id } = await shop().signIn();
        return shop().call('getUserForStaff', { as: await staff('ROLE_ADMIN'), path: { id } });
      },
      user_not_found: async () =>
        shop().call('getUserForStaff', { as: await staff('ROLE_ADMIN'), path: { id: randomUUID() } }),
    },
    getCustomerSummary: ofCustomer((as, path) => shop().call('getCustomerSummary', { as, path })),
    addCustomerNote: ofCustomer((as, path) =>
      shop().call('addCustomerNote', { as, path, body: { text: 'Runs a supper club' } }),
    ),
    setCustomerTags: {
      ...ofCustomer((as, path) => shop().call('setCustomerTags', { as, path, body: { tags: ['supper club'] } })),
      too_many_tags: async () => {
        const as = await staff('ROLE_ADMIN');
        const path = { id: (await shop().signIn()).userId };
        const tags = Array.from({ length: 20 }, (_, place) => `tag ${place}`);
        await shop().call('setCustomerTags', { as, path, body: { tags } });
        return shop().call('setCustomerTags', { as, path, body: { tags: ['one more'], seen: [] } });
      },
    },
    listCustomerTags: {
      success: async () => {
        const as = await staff('ROLE_ADMIN');
        const path = { id: (await shop().signIn()).userId };
        await shop().call('setCustomerTags', { as, path, body: { tags: ['supper club'] } });
        return shop().call('listCustomerTags', { as });
      },
    },
    createUser: {
      success: async () => shop().call('createUser', { as: await staff('ROLE_ADMIN'), body: newUser() }),
      email_taken: async () => {
        const { email } = await shop().signIn();
        return shop().call('createUser', { as: await staff('ROLE_ADMIN'), body: newUser({ email }) });
      },
    },
    listPromotions: {
      success: async () => {
        const admin = await staff('ROLE_ADMIN');
        await setRole((await shop().signIn()).userId, Promise.resolve(admin));
        return promotionsOf(admin.userId);
      },
      user_not_found: () => promotionsOf(randomUUID()),
    },
    updateUserRole: {
      success: async () => setRole((await shop().signIn()).userId),
      user_not_found: () => setRole(randomUUID()),
      own_role: async () => {
        const admin = await staff('ROLE_ADMIN');
        return setRole(admin.userId, Promise.resolve(admin));
      },
      owner_role: async () => setRole((await staff('ROLE_OWNER')).userId),
      email_not_proven: async () => setRole((await shop().signIn({ isEmailProven: false })).userId),
    },
    updateUserEnabled: {
      success: async () => switchOff((await shop().signIn()).userId),
      user_not_found: () => switchOff(randomUUID()),
      owner_enabled: async () => switchOff((await staff('ROLE_OWNER')).userId),
    },
  };
}

/** The login errors once two-step login is on. */
export function secondFactorLogins(shop: () => TestShop): Record<string, Scenario> {
  const loginWith = async (rest: object) => {
    const { account } = await customerWithFactor(shop());
    return shop().call('login', { body: { email: account.email, password, ...rest } });
  };
  return {
    second_factor_required: () => loginWith({}),
    second_factor_invalid: () => loginWith({ otp: 'no code' }),
  };
}
