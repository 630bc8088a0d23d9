import { redirect } from '@tanstack/react-router';
import { isStaff, landingPage } from '../../shared/auth';
import { type Session, session } from '../server/session';

interface Where {
  location: { href: string };
}

/** A visitor goes to the login and comes back afterwards. Rule: docs/rules/screens.md, Guards */
export function requireLogin({ location }: Where): { user: Session } {
  const user = session.get();
  if (!user) throw redirect({ to: '/login', search: { redirect: location.href } });
  return { user };
}

/**
 * Admin pages: a visitor goes to the login, and a customer gets the 403 screen instead. The guard returns this, since a
 * thrown error would be logged to the console.
 * Rule: docs/rules/screens.md, Guards
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
