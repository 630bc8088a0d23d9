/** @param goOn logs out @returns whether the user is asked first; `goOn` then runs only after a yes */
type Ask = (goOn: () => void) => boolean;

const asking = new Set<Ask>();

/** For a form with changes that are saved nowhere. @returns how to stop */
export function askBeforeLogout(ask: Ask): () => void {
  asking.add(ask);
  return () => void asking.delete(ask);
}

export const isLogoutAsked: Ask = (goOn) => [...asking].some((ask) => ask(goOn));
