import { notFound, redirect } from '@tanstack/react-router';
import { isBeyond } from '../../shared/paging';
import { isRejection } from '../server/errors';

/**
 * In the browser a page shows its skeleton while its data loads and reports its own errors. The server waits for the
 * data, so that it sends a full page, or a 404 for what doesn't exist. Pages get their data from the query cache only:
 * loader data would be serialized into the page a second time.
 */
const isServer = typeof window === 'undefined';
export function load(...reads: unknown[]): Promise<void> | undefined {
  if (isServer) return Promise.all(reads).then(() => undefined, rethrow);
  void Promise.allSettled(reads);
  return undefined;
}
function rethrow(error: unknown): never {
  throw isRejection(error) ? notFound() : error;
}
/** Throws notFound for a page number past the end of a list. */
export const requirePage = (page: number) => (list: { content: readonly unknown[] }) => {
  if (isBeyond(page, list)) throw notFound();
};

/** Redirects a former readable address to the present one, for good. In the browser the page does that. */
export const requireSlug = (slug: string, present: string) => {
  if (isServer && slug !== present) throw redirect({ to: '/p/$slug', params: { slug: present }, statusCode: 301 });
};
