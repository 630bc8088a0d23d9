import { useSyncExternalStore } from 'react';

/**
 * State known only to the browser, such as a history entry's, must not be rendered before hydration: if the first
 * render differs from the server's page, React discards the page.
 * @returns false on the server and until the app has hydrated
 */
export const useIsHydrated = (): boolean => useSyncExternalStore(neverChanges, isInBrowser, isNotYet);

const neverChanges = () => () => undefined;
const isInBrowser = () => true;
const isNotYet = () => false;
