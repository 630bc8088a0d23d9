/** One success and every error of logging in and out and of the contact form, for the contract test. */
import { randomUUID } from 'node:crypto';
import { secondFactorLogins, type Scenarios } from './accountScenarios';
import { openDevice, type Changes } from './proofs';
import type { TestShop } from './shop';

const registration = () => ({
  fullName: 'Example Customer',
  email: `${randomUUID()}@example.com`,
  password: 'pepper and salt',
  confirmPassword: 'pepper and salt',
  street: '12 Market Street',
  city: 'Atlanta',
  state: 'GA',
  postalCode: '30303',
});
const message = { email: 'customer@example.com', reason: 'Do you sell djar by the kilo?' };

export function signInScenarios(shop: () => TestShop): Scenarios {
  async function registered() {
    const body = registration();
    await shop().call('register', { body });
    return body;
  }
  const wrongPasswords = async (email: string) => {
    for (let attempt = 0; attempt < 5; attempt++) await shop().call('login', { body: { email, password: 'wrong' } });
  };

  const logInProving = async (changes: Changes) => {
    const { email, password } = await registered();
    const dpop = await (await openDevice(shop())).prove('login', changes);
    return shop().call('login', { body: { email, password }, headers: { dpop } });
  };
  const refreshProving = async (changes: Changes) => {
    const device = await openDevice(shop());
    return device.refreshWith('any', await device.prove('refreshToken', changes));
  };

  return {
    getNonce: { success: () => shop().call('getNonce') },
    register: {
      success: () => shop().call('register', { body: registration() }),
      email_taken: async () =>
        shop().call('register', { body: { ...registration(), email: (await registered()).email } }),
      too_many_attempts: async () => {
        await shop().pool.query(`update attempts set count = 300 where key like '%register%'`);
        const answer = await shop().call('register', { body: registration() });
        await shop().pool.query('delete from attempts');
        return answer;
      },
    },
    login: {
      success: async () => {
        const { email, password } = await registered();
        return shop().call('login', { body: { email, password } });
      },
      ...secondFactorLogins(shop),
      use_dpop_nonce: () => logInProving({ claims: { nonce: undefined } }),
      invalid_dpop_proof: () => logInProving({ claims: { htm: 'GET' } }),
      invalid_credentials: () => shop().call('login', { body: { email: 'nobody@example.com', password: 'wrong' } }),
      too_many_attempts: async () => {
        const { email, password } = await registered();
        await wrongPasswords(email);
        const answer = await shop().call('login', { body: { email, password } });
        await shop().pool.query('delete from attempts');
        return answer;
      },
    },
    logout: { success: async () => shop().call('logout', { as: await shop().signIn() }) },
    refreshToken: {
      success: async () => {
        const { email, password } = await registered();
        const { data } = await shop().call('login', { body: { email, password } });
        return shop().call('refreshToken', { body: { refreshToken: data.authResponse.refreshToken } });
      },
      use_dpop_nonce: () => refreshProving({ claims: { nonce: undefined } }),
      invalid_dpop_proof: () => refreshProving({ claims: { htm: 'GET' } }),
      proof_required: async () => {
        const person = await registered();
        const { refreshToken } = await (await openDevice(shop())).logIn(person);
        return shop().call('refreshToken', { body: { refreshToken } });
      },
      session_ended: () => shop().call('refreshToken', { body: { refreshToken: `${randomUUID()}.${'a'.repeat(43)}` } }),
    },
    getUser: {
      success: async () =>
        ((person) => shop().call('getUser', { as: person, path: { userId: person.userId } }))(await shop().signIn()),
    },
    createContactMessage: {
      success: () => shop().call('createContactMessage', { body: message }),
      too_many_attempts: async () => {
        await shop().call('createContactMessage', { body: message });
        await shop().pool.query(`update attempts set count = 30 where key like '%contact%'`);
        const answer = await shop().call('createContactMessage', { body: message });
        await shop().pool.query('delete from attempts');
        return answer;
      },
    },
  };
}
