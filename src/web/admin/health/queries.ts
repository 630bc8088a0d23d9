import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../server/client';
import { personalKey } from '../../server/queries';
import { session } from '../../server/session';

/** No staff query: it is large, so a change by staff does not read it again. */
export const healthQuery = () =>
  queryOptions({
    queryKey: [...personalKey(session.get()?.id ?? ''), 'health'],
    queryFn: ({ signal }) => answer(api.GET('/admin/health', { signal })),
  });
