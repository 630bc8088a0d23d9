/**
 * The login and registration forms as a browser submits them without JavaScript, or before the app's scripts have
 * loaded. Each makes the same call as the app. Rule: docs/rules/accounts.md, Forms without JavaScript
 */
import { dutyPages, landingPage } from '../../shared/auth';
import { withSearch } from '../../shared/authPages';
import { emptyAccount } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { fiveDigits } from '../../shared/postalCodes';
import type { PageForm, Sent } from '../http/pages/pageForms';
import { setFormLoginCookie } from './sessions/cookies';

const loginPage: PageForm = {
  path: '/login',
  fields: ['email', 'password', 'rememberMe', 'otp'],
  secrets: ['password', 'otp'],
  isCall: true,
  take: (sent) => {
    const { email = '', password = '', otp } = sent.values;
    const rememberMe = sent.values['rememberMe'] !== '';
    return logIn(sent, { email, password, rememberMe, ...(otp && { otp }) });
  },
};

/** @returns the page that the login leads to */
async function logIn({ reply, redirect, call }: Sent, credentials: Schema<'Credentials'>): Promise<string> {
  const { data } = await call('login', credentials);
  const { user, mustDo } = data.authResponse;
  setFormLoginCookie(reply, credentials.rememberMe);
  const page = redirect ?? landingPage(user.role);
  return mustDo ? withSearch(dutyPages[mustDo], { redirect: page }) : page;
}

const registerPage: PageForm = {
  path: '/register',
  fields: Object.keys(emptyAccount),
  secrets: ['password', 'confirmPassword'],
  isCall: true,
  async take(sent) {
    const { values, redirect } = sent;
    const postalCode = fiveDigits(values['postalCode'] ?? ''); // as the page's script does
    await sent.call('register', { ...values, postalCode } as Schema<'Registration'>); // its form validates the fields
    const { email = '', password = '' } = values;
    // the account exists, whatever becomes of the login
    return logIn(sent, { email, password, rememberMe: true }).catch(() =>
      withSearch('/login', { redirect, said: 'registered' }),
    );
  },
};

const forgotPasswordPage: PageForm = {
  path: '/forgot-password',
  fields: ['email'],
  isCall: true,
  async take({ values: { email = '' }, call }) {
    await call('resetPassword', { email });
    return withSearch('/login', { said: 'asked' });
  },
};

export const authPageForms: readonly PageForm[] = [loginPage, registerPage, forgotPasswordPage];
