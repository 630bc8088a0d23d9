/** @param goOn logs out @returns whether the user is asked for confirmation, in which case only a yes calls `goOn` */
type Ask = (proceed: () => void) => boolean;

const asking = new Set<Ask>();

/** For a form with unsaved changes. @returns a function that unregisters it */
export function askBeforeLogout(ask: Ask): () => void {
  asking.add(ask);
  return () => void asking.delete(ask);
}

export const isLogoutAsked: Ask = (proceed) => [...asking].some((ask) => ask(proceed));
