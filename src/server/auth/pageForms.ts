/**
 * The login and registration forms as a browser submits them without JavaScript, or before the app's scripts have
 * loaded. Each makes the same call as the app. Rule: docs/rules/accounts.md, Forms without JavaScript
 */
import { dutyPages, landingPage } from '../../shared/auth';
import { withSearch } from '../../shared/authPages';
import { emptyAccount } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { fiveDigits } from '../../shared/postalCodes';
import type { PageForm } from '../http/pages/pageForms';
import { setFormLoginCookie } from './sessions/cookies';

const loginPage: PageForm = {
  path: '/login',
  fields: ['email', 'password', 'rememberMe', 'otp'],
  secrets: ['password', 'otp'],
  isCall: true,
  async take({ values, reply, redirect, call }) {
    const { email = '', password = '', otp } = values;
    const rememberMe = values['rememberMe'] !== '';
    const { data } = await call('login', { email, password, rememberMe, ...(otp && { otp }) });
    const { user, mustDo } = data.authResponse;
    setFormLoginCookie(reply, rememberMe);
    const page = redirect ?? landingPage(user.role);
    return mustDo ? withSearch(dutyPages[mustDo], { redirect: page }) : page;
  },
};

const registerPage: PageForm = {
  path: '/register',
  fields: Object.keys(emptyAccount),
  secrets: ['password', 'confirmPassword'],
  isCall: true,
  async take({ values, redirect, call }) {
    const postalCode = fiveDigits(values['postalCode'] ?? ''); // as the page's script does
    await call('register', { ...values, postalCode } as Schema<'Registration'>); // its form validates the fields
    return withSearch('/login', { redirect, said: 'registered' });
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
