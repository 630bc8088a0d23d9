import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { queuedSentence } from '../connection/queuedSentence';
import { ApiError, type ErrorCode, isNoConnection, isRejection, sentenceOf } from '../server/errors';
import { belongsToCurrentUser } from '../server/queries';
import { reachability } from '../server/reachability';
import { toast } from '../ui/toast';

/** Toast messages for a change that succeeded or failed. Rule: docs/rules/screens.md, Toasts */
interface Messages extends Record<string, unknown> {
  success?: string;
  failure: string;
  /** Error codes that the page itself shows or handles. */
  shownOnPage?: readonly ErrorCode[];
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: Messages;
    /** Queries with this message also show a failed read as a toast; most show it only in place of the data. */
    queryMeta: Pick<Messages, 'failure'>;
  }
}

/** The server renders with the data it can get now and doesn't retry. */
const isServer = typeof window === 'undefined';

/**
 * Reads are retried up to three times, except after a 4xx rejection; changes never.
 * Rule: docs/rules/screens.md, Reading data
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (meta) toast.error(sentenceOf(error, meta.failure));
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: (answer, _input, _context, { meta }) => {
        const queuedMessage = queuedSentence(answer);
        if (queuedMessage) toast.info(queuedMessage);
        else if (meta?.success) toast.success(meta.success);
      },
      onError: (error, _input, _context, { meta }) => {
        if (error instanceof ApiError && meta?.shownOnPage?.includes(error.code)) return;
        toast.error(sentenceOf(error, meta?.failure));
      },
    }),
    defaultOptions: {
      queries: {
        enabled: ({ queryKey }) => belongsToCurrentUser(queryKey), // an unmounting page must not fetch for a user who left
        staleTime: 30_000,
        retry: (failures, error) => !isServer && failures < 3 && !isRejection(error) && mayRetry(error),
        networkMode: 'always', // don't wait for the browser's `onLine`, which may be wrong
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Offline, data comes from the device or fails, immediately. */
const mayRetry = (error: unknown): boolean => !isNoConnection(error) || reachability.isOnline();
