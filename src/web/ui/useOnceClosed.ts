import { useCallback, useEffect, useRef } from 'react';

/**
 * Runs a menu's chosen action after the menu has closed: otherwise a dialog opened by it would close with the menu, and
 * the focus would return to the menu's button. Pass `onExitComplete` to the menu, which calls it once closed.
 */
export function useOnceClosed() {
  const chosen = useRef<() => void>(undefined);
  const onceClosed = useCallback((act: () => void) => (chosen.current = act), []);
  const onExitComplete = useCallback(() => {
    const act = chosen.current;
    chosen.current = undefined;
    act?.();
  }, []);
  useEffect(() => onExitComplete, [onExitComplete]); // a menu that is unmounted with its row counts as closed
  return { onceClosed, onExitComplete };
}
