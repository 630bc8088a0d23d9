import { personalKey } from '../server/queries';

/** The cart's key in the query cache, shared by the queries in the first chunk and the operations in a later one. */
export const cartKey = (userId: string) => [...personalKey(userId), 'cart'] as const;
