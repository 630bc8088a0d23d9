import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client';
import { personalKey } from '../api/queryClient';

/** The signed-in user with the saved addresses. */
export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'account'],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/public/users/{userId}', { params: { path: { userId } }, signal }))).user,
  });
