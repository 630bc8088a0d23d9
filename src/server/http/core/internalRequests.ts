/** Marks API calls that the server makes itself (contract/internalRequest.ts). Only the server sees their responses. */
import { AsyncLocalStorage } from 'node:async_hooks';

const internal = new AsyncLocalStorage<true>();

export const isInternalRequest = (): boolean => internal.getStore() === true;

export const asInternalRequest = <T>(work: () => Promise<T>): Promise<T> => internal.run(true, work);
