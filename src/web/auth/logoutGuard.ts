/** @param goOn logs out @returns whether that is asked first; then it is called, or nothing more is done */
type Ask = (goOn: () => void) => boolean;

const asking = new Set<Ask>();

/** For a form with changes that are saved nowhere. @returns how to stop */
export function askBeforeLogout(ask: Ask): () => void {
  asking.add(ask);
  return () => void asking.delete(ask);
}

export const isLogoutAsked: Ask = (goOn) => [...asking].some((ask) => ask(goOn));
