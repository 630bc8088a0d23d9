import type { Schema } from '../../shared/contract';
import { claimIntentions } from '../cart/intention';
import { accessToken } from '../server/accessToken';
import { session } from '../server/session';
import { noteLifetime } from './rememberMe';

/** Somebody has logged in: here and in all other tabs. What the visitor wanted in the cart is theirs. */
export function beginSession({ user, jwt }: Schema<'AuthResponse'>, rememberMe: boolean): void {
  claimIntentions(user.id); // before the session is set, since the intentions are a visitor's
  noteLifetime(rememberMe);
  session.set(user);
  accessToken.set(jwt);
}
