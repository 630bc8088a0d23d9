import { personalKey } from '../server/queries';

/** Where the lists stand in the query cache, for their queries and for the operations, which come apart. */
export const listsKey = (userId: string) => [...personalKey(userId), 'lists'] as const;
