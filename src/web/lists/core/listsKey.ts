import { personalKey } from '../../server/queries';

/** The lists' key in the query cache. Their queries and their operations are in different chunks. */
export const listsKey = (userId: string) => [...personalKey(userId), 'lists'] as const;
