import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type * as OnDevice from './onDevice';

interface Read {
  client: QueryClient;
  queryKey: QueryKey;
  signal: AbortSignal;
}

/**
 * Shows the device's saved data immediately while the server is asked; the server's answer wins. Offline, the saved
 * data stays and no error is shown beside it. The code that reads the device is loaded on first use, because the server
 * rendered the first page.
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
      await shown; // otherwise a page would briefly show that it has no data
      throw error;
    }
  };
}

async function show<Data>(keep: (device: typeof OnDevice) => OnDevice.Kept<Data>, read: Read): Promise<void> {
  const { client, queryKey, signal } = read;
  const isEmpty = () => client.getQueryData(queryKey) === undefined;
  if (!isEmpty()) return;
  const kept = await import('./onDevice').then(keep).catch(() => undefined); // the chunk may fail to load
  if (kept && isEmpty() && !signal.aborted) client.setQueryData(queryKey, kept.data, { updatedAt: kept.asOf });
}
