import { MutationCache, QueryClient } from '@tanstack/react-query';
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
  }
}

/** Reads are tried again three times, unless the server refused; changes never. Source: specification §9 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_answer, _input, _context, { meta }) => {
        if (meta?.success) toast.success(meta.success);
      },
      onError: (error, _input, _context, { meta }) => {
        toast.error(sentenceOf(error, meta?.failure));
      },
    }),
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => failures < 3 && !isRefusal(error) },
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
