import type { Schema } from '../../shared/contract';
import { claimIntentions } from '../cart/intention';
import { accessToken } from '../server/accessToken';
import { session } from '../server/session';
import { noteLifetime } from './rememberMe';

/** Starts a session, here and in all other tabs. The user gets what they added to the cart as a visitor. */
export function beginSession({ user, jwt }: Schema<'AuthResponse'>, rememberMe: boolean): void {
  claimIntentions(user.id); // before the session is set, while the intentions still belong to a visitor
  noteLifetime(rememberMe);
  session.set(user);
  accessToken.set(jwt);
}
