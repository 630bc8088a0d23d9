import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { unexpected } from '../../shared/failures';
import { toast } from '../ui/toast';
import { ApiError, isRefusal } from './apiError';

/** What a change says when it is done and when it failed. Source: specification §8 */
export interface Says extends Record<string, unknown> {
  success?: string;
  failure: string;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: Says;
    /** A read that failed says so as a toast too, where the specification wants it; most say it in their place. */
    queryMeta: Pick<Says, 'failure'>;
  }
}

/** The server, which draws a page from what it can get now, does not try again. */
const isServer = typeof window === 'undefined';

/** Reads are tried again three times, unless the server refused; changes never. Source: specification §9 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (meta) toast.error(sentenceOf(error, meta.failure));
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: (_answer, _input, _context, { meta }) => {
        if (meta?.success) toast.success(meta.success);
      },
      onError: (error, _input, _context, { meta }) => {
        toast.error(sentenceOf(error, meta?.failure));
      },
    }),
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => !isServer && failures < 3 && !isRefusal(error) },
      mutations: { retry: false },
    },
  });
}

/** @returns the server's sentence, else `failure` */
export function sentenceOf(error: unknown, failure = unexpected): string {
  return (error instanceof ApiError && error.message) || failure;
}

/** What belongs to one user stands under this key, and goes when the user does. */
export const personalKey = (userId: string) => ['user', userId] as const;

export function forgetPersonalAnswers(cache: QueryClient): void {
  cache.removeQueries({ queryKey: ['user'] });
}
