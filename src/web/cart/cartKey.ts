import { personalKey } from '../server/queries';

/** Where the cart stands in the query cache, for the queries that the first page loads and the operations that it does not. */
export const cartKey = (userId: string) => [...personalKey(userId), 'cart'] as const;
