import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from '../browser/store';
import { away } from '../device/inStep';
import { useSession } from '../server/session';

const ChangesSheet = lazy(async () => ({ default: (await import('./ChangesSheet')).ChangesSheet }));

/**
 * Shows, once, what changed while this device was away. It waits where it would be in the way: for the next page.
 * Rule: docs/rules/kitchen.md, While you were away
 */
export function AwaySheet() {
  const userId = useSession()?.id;
  const absence = useStore(away, undefined);
  const pathname = useLocation({ select: (location) => location.pathname });
  const [isOpen, setOpen] = useState(false);
  const wasAway = absence !== undefined;
  useEffect(() => setOpen(wasAway && mayCover(pathname)), [wasAway, pathname]);
  if (!isOpen || !absence || userId === undefined) return null;
  return (
    <Suspense>
      <ChangesSheet userId={userId} away={absence} />
    </Suspense>
  );
}

/** Pages with a form, and those of paying. */
const inTheWay = /^\/(?:checkout|contact|login|register|forgot-|reset-|confirm-|customer\/(?:edit|order)\/)/;

function mayCover(pathname: string): boolean {
  const isBusy =
    document.querySelector('[role=dialog], [role=alertdialog]') ?? document.activeElement?.closest('input');
  return !inTheWay.test(pathname) && !isBusy;
}
