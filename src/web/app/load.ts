import { notFound } from '@tanstack/react-router';
import { isBeyond } from '../../shared/paging';
import { isRejection } from '../server/errors';

/**
 * In the browser a page shows its skeleton while its data comes, and says itself what it could not get. The server waits,
 * so that it sends a full page, or a 404 for what does not exist. Data reaches the pages through the cache alone: what a
 * loader gave would travel in the page a second time.
 */
const isServer = typeof window === 'undefined';
export function load(...reads: unknown[]): Promise<void> | undefined {
  if (isServer) return Promise.all(reads).then(() => undefined, refuse);
  void Promise.allSettled(reads);
  return undefined;
}
function refuse(error: unknown): never {
  throw isRejection(error) ? notFound() : error;
}
/** A page behind the last one of a list is no page. */
export const requirePage = (page: number) => (list: { content: readonly unknown[] }) => {
  if (isBeyond(page, list)) throw notFound();
};
