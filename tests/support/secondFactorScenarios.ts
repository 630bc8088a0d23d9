/** One success and every error of the operations of the second factor, for the contract test. */
import type { Scenarios } from './accountScenarios';
import {
  bearer,
  customerWithFactor,
  longPassword,
  newStaff,
  nextStep,
  otpOf,
  password,
  switchOnFactor,
} from './accounts';
import { logIn, newCustomer, openUnprovenAccount } from './auth';
import type { TestShop } from './shop';

/** A logged-in user with two-step login, whose next code is still unused. */
export async function signInWithFactor(shop: TestShop) {
  const { account, secret } = await customerWithFactor(shop);
  const person = await logIn(shop, account, { otp: otpOf(shop, secret) });
  nextStep(shop);
  return { person, account, code: () => otpOf(shop, secret) };
}

export const wrong = 'not the password';

export const times = async (count: number, work: () => Promise<unknown>) => {
  for (let time = 0; time < count; time++) await work();
};

export function secondFactorScenarios(shop: () => TestShop): Scenarios {
  const begin = (person: { jwt: string }, proof = password) =>
    shop().call('beginSecondFactor', { headers: bearer(person), body: { password: proof } });
  const confirm = (person: { jwt: string }, otp: string) =>
    shop().call('confirmSecondFactor', { headers: bearer(person), body: { otp } });
  const disable = (person: { jwt: string }, otp: string, proof = password) =>
    shop().call('disableSecondFactor', { headers: bearer(person), body: { password: proof, otp } });
  const newCodes = (person: { jwt: string }, otp: string, proof = password) =>
    shop().call('newRecoveryCodes', { headers: bearer(person), body: { password: proof, otp } });
  const withFactor = () => signInWithFactor(shop());

  return {
    beginSecondFactor: {
      success: async () => begin(await newCustomer(shop())),
      wrong_password: async () => begin(await newCustomer(shop()), wrong),
      email_not_proven: async () => begin(await logIn(shop(), await openUnprovenAccount(shop()))),
      second_factor_is_on: async () => begin((await withFactor()).person),
      too_many_attempts: async () => {
        const ana = await newCustomer(shop());
        await times(5, () => begin(ana, wrong));
        return begin(ana);
      },
    },
    confirmSecondFactor: {
      success: async () => {
        const ana = await newCustomer(shop());
        return confirm(ana, otpOf(shop(), (await begin(ana)).data.secondFactor.secret));
      },
      wrong_code: async () => {
        const ana = await newCustomer(shop());
        await begin(ana);
        return confirm(ana, 'no code');
      },
      email_not_proven: async () => {
        const ana = await newCustomer(shop());
        const { secret } = (await begin(ana)).data.secondFactor;
        await shop().pool.query('update users set email_proven_at = null where id = $1', [ana.user.id]);
        return confirm(ana, otpOf(shop(), secret));
      },
      second_factor_is_on: async () => {
        const { person, code } = await withFactor();
        return confirm(person, code());
      },
      second_factor_not_begun: async () => confirm(await newCustomer(shop()), '123456'),
      too_many_attempts: async () => {
        const ana = await newCustomer(shop());
        await begin(ana);
        await times(5, () => confirm(ana, 'no code'));
        return confirm(ana, 'no code');
      },
    },
    disableSecondFactor: {
      success: async () => {
        const { person, code } = await withFactor();
        return disable(person, code());
      },
      wrong_password: async () => {
        const { person, code } = await withFactor();
        return disable(person, code(), wrong);
      },
      wrong_code: async () => disable((await withFactor()).person, 'no code'),
      second_factor_is_off: async () => disable(await newCustomer(shop()), '123456'),
      second_factor_for_staff: async () => {
        const admin = await newStaff(shop());
        await switchOnFactor(shop(), admin, longPassword);
        await shop().pool.query(`insert into settings values ('second_factor_of_staff', 'true')`);
        const answer = await disable(admin, '123456', longPassword);
        await shop().pool.query(`delete from settings where name = 'second_factor_of_staff'`);
        return answer;
      },
      too_many_attempts: async () => {
        const { person } = await withFactor();
        await times(5, () => disable(person, 'no code'));
        return disable(person, 'no code');
      },
    },
    newRecoveryCodes: {
      success: async () => {
        const { person, code } = await withFactor();
        return newCodes(person, code());
      },
      wrong_password: async () => {
        const { person, code } = await withFactor();
        return newCodes(person, code(), wrong);
      },
      wrong_code: async () => newCodes((await withFactor()).person, 'no code'),
      second_factor_is_off: async () => newCodes(await newCustomer(shop()), '123456'),
      too_many_attempts: async () => {
        const { person } = await withFactor();
        await times(5, () => newCodes(person, 'no code'));
        return newCodes(person, 'no code');
      },
    },
  };
}
