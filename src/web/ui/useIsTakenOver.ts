import { useSyncExternalStore } from 'react';

/**
 * What only the browser knows, as the state of a history entry, must not be drawn before: a page that the server drew is
 * taken over as it is, and React throws it away where the first view differs.
 * @returns false in a page that the server draws, and until the app has taken it over
 */
export const useIsTakenOver = (): boolean => useSyncExternalStore(neverChanges, isInBrowser, isNotYet);

const neverChanges = () => () => undefined;
const isInBrowser = () => true;
const isNotYet = () => false;
