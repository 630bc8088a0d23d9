import { useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useStore } from '../../browser/store';
import { away } from './syncState';
import { useSession } from '../../server/session';
import { lazyPart } from '../../ui/lazyPart';

const ChangesSheet = lazyPart(() => import('./ChangesSheet'), 'ChangesSheet');

/**
 * Shows once what changed while this device was away. On a page that it would disturb, it waits for the next page.
 * Rule: docs/rules/kitchen.md, While you were away
 */
export function AbsenceSheet() {
  const userId = useSession()?.id;
  const absence = useStore(away, undefined);
  const pathname = useLocation({ select: (location) => location.pathname });
  if (!absence || userId === undefined) return null;
  return (
    <UnlessDisturbing key={pathname} pathname={pathname}>
      <ChangesSheet userId={userId} away={absence} />
    </UnlessDisturbing>
  );
}

/** Shows its children unless they would disturb the page at the time they appear. */
function UnlessDisturbing({ pathname, children }: { pathname: string; children: ReactNode }) {
  const [isAllowed] = useState(() => mayOpen(pathname));
  return isAllowed && <Suspense>{children}</Suspense>;
}

/** Pages with a form, and the payment pages. */
const undisturbedPages = /^\/(?:checkout|contact|login|register|forgot-|reset-|confirm-|customer\/(?:edit|order)\/)/;

function mayOpen(pathname: string): boolean {
  const isBusy =
    document.querySelector('[role=dialog], [role=alertdialog]') ?? document.activeElement?.closest('input');
  return !undisturbedPages.test(pathname) && !isBusy;
}
