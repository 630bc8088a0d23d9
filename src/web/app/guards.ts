import { redirect } from '@tanstack/react-router';
import { isStaff, landingPage } from '../../shared/auth';
import { type Session, session } from '../api/session';

/** Thrown on a page that the role may not see; its route shows the 403 screen. */
export class Forbidden extends Error {}

interface Where {
  location: { href: string };
}

/** A visitor goes to the login and comes back afterwards. Source: decisions §1 */
export function requireLogin({ location }: Where): { user: Session } {
  const user = session.get();
  if (!user) throw redirect({ to: '/login', search: { redirect: location.href } });
  return { user };
}

/** Admin pages: a visitor goes to the login, a customer sees the 403 screen. Source: decisions §1 */
export function requireStaff(where: Where): { user: Session } {
  const { user } = requireLogin(where);
  if (!isStaff(user.role)) throw new Forbidden();
  return { user };
}

/** Login and registration are for visitors; who is signed in goes where the login would have led. */
export function requireVisitor({ search }: { search: { redirect?: string | undefined } }): void {
  const user = session.get();
  if (user) throw redirect({ href: search.redirect ?? landingPage(user.role) });
}
