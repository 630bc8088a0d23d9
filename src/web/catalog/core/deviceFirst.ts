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
 * @param readDevice reads the device
 * @param askServer asks the server
 * @returns a `queryFn`
 * @throws what `askServer` threw
 */
export function deviceFirst<Data>(
  readDevice: (device: typeof OnDevice) => OnDevice.FromDevice<Data>,
  askServer: (signal: AbortSignal) => Promise<Data>,
) {
  return async (read: Read): Promise<Data> => {
    const pending = askServer(read.signal);
    if (typeof indexedDB === 'undefined') return pending;
    const showing = showSaved(readDevice, read);
    try {
      return await pending;
    } catch (error) {
      await showing; // otherwise a page would briefly show that it has no data
      throw error;
    }
  };
}

async function showSaved<Data>(
  readDevice: (device: typeof OnDevice) => OnDevice.FromDevice<Data>,
  read: Read,
): Promise<void> {
  const { client, queryKey, signal } = read;
  const isEmpty = () => client.getQueryData(queryKey) === undefined;
  if (!isEmpty()) return;
  const saved = await import('./onDevice').then(readDevice).catch(() => undefined); // the chunk may fail to load
  if (saved && isEmpty() && !signal.aborted) client.setQueryData(queryKey, saved.data, { updatedAt: saved.asOf });
}
