import { useCallback, useEffect, useRef } from 'react';

/**
 * Does what was chosen in a menu once the menu has closed: a dialog that opens above an open menu is closed with it, and its
 * focus is taken back to the menu's button. `onExitComplete` goes to the menu, which calls it when it is gone.
 */
export function useOnceClosed() {
  const chosen = useRef<() => void>(undefined);
  const onceClosed = useCallback((act: () => void) => (chosen.current = act), []);
  const onExitComplete = useCallback(() => {
    const act = chosen.current;
    chosen.current = undefined;
    act?.();
  }, []);
  useEffect(() => onExitComplete, [onExitComplete]); // a menu that goes with its row has closed too
  return { onceClosed, onExitComplete };
}
