import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { answersKey } from '../../shared/deviceNames';
import { isNoConnection } from '../server/errors';

/**
 * The answers to a user's own questions that this device keeps for a visit without a connection: orders in the database
 * (orders.ts), small ones in localStorage (saveAnswers.ts). This is the small part that pages load.
 */

const waitsAtMostMs = 5000; // for the network, before a page shows what the device has

/**
 * The server's answer, or without a connection the one that this device kept. The server is always asked first: when the
 * session has ended meanwhile, no data of the user is shown. An answer that comes after all takes the place of the kept one.
 * Rule: docs/rules/offline.md, Reachability
 * @param query whose answer it is
 * @param kept finds what the device has; by default a small answer of `queryKey`
 * @throws what `answer` throws, when the device has nothing either
 */
export async function orSaved<T>(
  { client, queryKey }: { client: QueryClient; queryKey: QueryKey },
  answer: Promise<T>,
  kept: () => Promise<T | undefined> = async () => (await import('./saveAnswers')).findSaved<T>(queryKey),
): Promise<T> {
  const find = () => kept().catch(() => undefined);
  const found = new Promise<T>((resolve) => {
    const show = async () => {
      const saved = await find();
      if (saved === undefined) return;
      resolve(saved);
      const late = await answer;
      // unless something newer stands there
      if (hashKey([client.getQueryData(queryKey)]) === hashKey([saved])) client.setQueryData(queryKey, late);
    };
    const timer = setTimeout(() => void show().catch(() => undefined), waitsAtMostMs);
    const stop = () => clearTimeout(timer);
    void answer.then(stop, stop);
  });
  try {
    return await Promise.race([answer, found]);
  } catch (error) {
    const saved = isNoConnection(error) ? await find() : undefined;
    if (saved === undefined) throw error;
    return saved;
  }
}

/** When the user's session ends. Rule: docs/rules/offline.md, When a session ends by itself */
export async function wipeAnswersOf(userId: string): Promise<void> {
  localStorage.removeItem(answersKey(userId));
  await (await import('./endedSession')).deleteRowsOf(userId);
}
