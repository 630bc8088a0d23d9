import type { QueryKey } from '@tanstack/react-query';
import { isNoConnection } from '../api/apiError';

/** How long a page waits for the network before it shows what the device has. Source: specification §9 */
const waitsAtMostMs = 5000;

/**
 * The server's answer, or without a connection the one that this device kept. The server is always asked first: when the
 * session has ended meanwhile, it says so before anything of the user's is shown.
 * @param kept finds what the device has; by default an answer of `queryKey` (savedQueries.ts)
 * @throws what `answer` throws, when the device has nothing either
 */
export async function orSaved<T>(
  queryKey: QueryKey,
  answer: Promise<T>,
  kept: () => Promise<T | undefined> = () => findSaved<T>(queryKey),
): Promise<T> {
  const found = new Promise<T>((resolve) => {
    const timer = setTimeout(() => void find().then((saved) => saved === undefined || resolve(saved)), waitsAtMostMs);
    const stop = () => clearTimeout(timer);
    void answer.then(stop, stop);
  });
  const find = () => kept().catch(() => undefined);
  try {
    return await Promise.race([answer, found]);
  } catch (error) {
    const saved = isNoConnection(error) ? await find() : undefined;
    if (saved === undefined) throw error;
    return saved;
  }
}

const findSaved = async <T>(queryKey: QueryKey) => (await import('./savedQueries')).findSaved<T>(queryKey);
