/** Marks API calls that the server makes itself (contract/internalRequest.ts). Their responses go to the server alone. */
import { AsyncLocalStorage } from 'node:async_hooks';

const internal = new AsyncLocalStorage<true>();

export const isInternalRequest = (): boolean => internal.getStore() === true;

export const asInternalRequest = <T>(work: () => Promise<T>): Promise<T> => internal.run(true, work);
