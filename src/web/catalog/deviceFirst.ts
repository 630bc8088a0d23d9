import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type * as OnDevice from './onDevice';

interface Read {
  client: QueryClient;
  queryKey: QueryKey;
  signal: AbortSignal;
}

/**
 * Shows what this device keeps at once, while the server is asked; the server's answer wins. Without a connection what
 * the device keeps stays, and the failure beside it is not shown. Its code comes when it is first needed: the first page
 * was drawn by the server.
 * @param keep reads the device
 * @param ask asks the server
 * @returns a `queryFn`
 * @throws what `ask` threw
 */
export function deviceFirst<Data>(
  keep: (device: typeof OnDevice) => OnDevice.Kept<Data>,
  ask: (signal: AbortSignal) => Promise<Data>,
) {
  return async (read: Read): Promise<Data> => {
    const asked = ask(read.signal);
    if (typeof indexedDB === 'undefined') return asked;
    const shown = show(keep, read);
    try {
      return await asked;
    } catch (error) {
      await shown; // else a page would say for a moment that it has nothing
      throw error;
    }
  };
}

async function show<Data>(keep: (device: typeof OnDevice) => OnDevice.Kept<Data>, read: Read): Promise<void> {
  const { client, queryKey, signal } = read;
  const isEmpty = () => client.getQueryData(queryKey) === undefined;
  if (!isEmpty()) return;
  const kept = await import('./onDevice').then(keep).catch(() => undefined); // the chunk itself may not be here
  if (kept && isEmpty() && !signal.aborted) client.setQueryData(queryKey, kept.data, { updatedAt: kept.asOf });
}
