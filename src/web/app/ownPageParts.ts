/** What the route of the owner's pages needs. */
import { load } from './load';
import type { Context } from './routeParts';

export const loadOwnPages = () => import('../pages/ownPages');

export const readOwnPage = ({
  context: { queryClient },
  params: { slug },
}: {
  context: Context;
  params: { slug: string };
}) => load(loadOwnPages().then(({ pageQuery }) => queryClient.fetchQuery(pageQuery(slug))));
