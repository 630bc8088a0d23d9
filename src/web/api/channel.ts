/**
 * A channel to the shop's other tabs.
 * @returns undefined on the server, whose process an open one would keep from ending, and where the browser refuses it as
 * it does the data of every site
 */
export function openChannel(name: string): BroadcastChannel | undefined {
  if (typeof window === 'undefined') return undefined;
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
