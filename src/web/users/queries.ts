import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../server/client';
import { personalKey } from '../server/queries';
import { orSaved } from '../device/answers';
import type { Schema } from '../../shared/contract';

/** The signed-in user with the saved addresses. */
export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'account'],
    queryFn: (query) => orSaved(query, readUser(userId, query.signal)),
    gcTime: Infinity, // the saved copy mirrors the query cache
  });

async function readUser(userId: string, signal: AbortSignal): Promise<Schema<'User'>> {
  return (await answer(api.GET('/public/users/{userId}', { params: { path: { userId } }, signal }))).user;
}
