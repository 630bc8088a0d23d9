import { redirect } from '@tanstack/react-router';
import { isStaff, landingPage } from '../../shared/auth';
import { type Session, session } from '../server/session';

interface GuardArgs {
  location: { href: string };
}

/** Sends visitors to the login and back afterwards. Rule: docs/rules/screens.md, Guards */
export function requireLogin({ location }: GuardArgs): { user: Session } {
  const user = session.get();
  if (!user) throw redirect({ to: '/login', search: { redirect: location.href } });
  return { user };
}

/**
 * Guards admin pages: visitors go to the login, customers get the 403 screen. Returns the result instead of throwing,
 * because a thrown error would be logged to the console.
 * Rule: docs/rules/screens.md, Guards
 */
export function requireLoginOfStaff(args: GuardArgs): { user: Session; mayEnter: boolean } {
  const { user } = requireLogin(args);
  return { user, mayEnter: isStaff(user.role) };
}

/** Login and registration are for visitors; signed-in users go where the login would have sent them. */
export function requireVisitor({ search }: { search: { redirect?: string | undefined } }): void {
  const user = session.get();
  if (user) throw redirect({ href: search.redirect ?? landingPage(user.role) });
}
