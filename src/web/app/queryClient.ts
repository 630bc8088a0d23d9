import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { queuedSentence } from '../connection/queuedSentence';
import { ApiError, type ErrorCode, isNoConnection, isRejection, sentenceOf } from '../server/errors';
import { isOfUserHere } from '../server/queries';
import { reachability } from '../server/reachability';
import { toast } from '../ui/toast';

/** What a change says when it is done and when it failed. Rule: docs/rules/screens.md, Toasts */
interface Messages extends Record<string, unknown> {
  success?: string;
  failure: string;
  /** The code of a refusal that is the next step rather than a failure: the page goes on with it. */
  asksFor?: ErrorCode;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: Messages;
    /** A read that failed says so as a toast too where a query has this; most say it in the place of the data alone. */
    queryMeta: Pick<Messages, 'failure'>;
  }
}

/** The server, which draws a page from what it can get now, does not try again. */
const isServer = typeof window === 'undefined';

/**
 * Reads are tried again three times, unless the server refused; changes never.
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
        const later = queuedSentence(answer);
        if (later) toast.info(later);
        else if (meta?.success) toast.success(meta.success);
      },
      onError: (error, _input, _context, { meta }) => {
        if (error instanceof ApiError && error.code === meta?.asksFor) return;
        toast.error(sentenceOf(error, meta?.failure));
      },
    }),
    defaultOptions: {
      queries: {
        enabled: ({ queryKey }) => isOfUserHere(queryKey), // a page on its way out asks for nothing of who has left
        staleTime: 30_000,
        retry: (failures, error) => !isServer && failures < 3 && !isRejection(error) && mayAskAgain(error),
        networkMode: 'always', // do not wait for the browser's `onLine`, which may be wrong
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Without a connection the answer comes from the device or not at all, and at once. */
const mayAskAgain = (error: unknown): boolean => !isNoConnection(error) || reachability.isOnline();
