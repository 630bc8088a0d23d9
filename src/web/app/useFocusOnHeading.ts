import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** After a change of page the focus moves to its heading, so that screen readers and keyboards start there. */
export function useFocusOnHeading(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged || toLocation.hash) return;
        // after a menu or dialog that closes with the change has given its focus back
        setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }), 50);
      }),
    [router],
  );
}
