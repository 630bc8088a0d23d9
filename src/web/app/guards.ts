import { redirect } from '@tanstack/react-router';
import { isStaff, landingPage } from '../../shared/auth';
import { type Session, session } from '../api/session';

interface Where {
  location: { href: string };
}

/** A visitor goes to the login and comes back afterwards. Source: decisions §1 */
export function requireLogin({ location }: Where): { user: Session } {
  const user = session.get();
  if (!user) throw redirect({ to: '/login', search: { redirect: location.href } });
  return { user };
}

/**
 * Admin pages: a visitor goes to the login, and a customer is shown the 403 screen in their place. It is told, not
 * thrown: an error would be written to the console as a mistake of ours.
 * Source: decisions §1
 */
export function requireLoginOfStaff(where: Where): { user: Session; mayEnter: boolean } {
  const { user } = requireLogin(where);
  return { user, mayEnter: isStaff(user.role) };
}

/** Login and registration are for visitors; who is signed in goes where the login would have led. */
export function requireVisitor({ search }: { search: { redirect?: string | undefined } }): void {
  const user = session.get();
  if (user) throw redirect({ href: search.redirect ?? landingPage(user.role) });
}
