import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { answersKey } from '../../shared/deviceNames';
import { isNoConnection } from '../server/errors';

/**
 * Saved responses for a signed-in user while offline: orders in the database (orders.ts), small ones in localStorage
 * (saveAnswers.ts). This small part is loaded by the pages.
 */

const maxWaitMs = 5000; // for the network, before a page shows saved data

/**
 * Returns the server's response or, offline, the saved one. The server is always asked first: if the session has ended,
 * no user data is shown. A late response replaces the saved one.
 * Rule: docs/rules/offline.md, Reachability
 * @param query the query of the response
 * @param readSaved finds the saved data; by default the small response saved under `queryKey`
 * @throws the error of `answer` when nothing is saved
 */
export async function orSaved<T>(
  { client, queryKey }: { client: QueryClient; queryKey: QueryKey },
  answer: Promise<T>,
  readSaved: () => Promise<T | undefined> = async () => (await import('./saveAnswers')).findSaved<T>(queryKey),
): Promise<T> {
  const find = () => readSaved().catch(() => undefined);
  const savedAfterTimeout = new Promise<T>((resolve) => {
    const showSaved = async () => {
      const saved = await find();
      if (saved === undefined) return;
      resolve(saved);
      const lateAnswer = await answer;
      // unless the cache has newer data
      if (hashKey([client.getQueryData(queryKey)]) === hashKey([saved])) client.setQueryData(queryKey, lateAnswer);
    };
    const timer = setTimeout(() => void showSaved().catch(() => undefined), maxWaitMs);
    const stop = () => clearTimeout(timer);
    void answer.then(stop, stop);
  });
  try {
    return await Promise.race([answer, savedAfterTimeout]);
  } catch (error) {
    const saved = isNoConnection(error) ? await find() : undefined;
    if (saved === undefined) throw error;
    return saved;
  }
}

/** Called when the user's session ends. Rule: docs/rules/offline.md, When a session ends by itself */
export async function wipeAnswersOf(userId: string): Promise<void> {
  localStorage.removeItem(answersKey(userId));
  await (await import('./endedSession')).deleteRowsOf(userId);
}
