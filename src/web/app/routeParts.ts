/** Helpers shared by several routes. */
import type { QueryClient } from '@tanstack/react-query';
import { defaultShop } from '../../shared/brand';
import type { AccountPage } from '../users/pages';
import type { ListsPage } from '../lists/pages/pages';
import type { OrdersPage } from '../orders/pages';
import type { Session } from '../server/session';
import { shopQuery } from '../settings/queries';
import { lazyPage } from './lazyPage';
import { load } from './load';

export interface Context {
  queryClient: QueryClient;
}

export const withTitle =
  (title: string) =>
  ({ match }: { match: { context: Context } }) => {
    const { name } = match.context.queryClient.getQueryData(shopQuery.queryKey) ?? defaultShop;
    return { meta: [{ title: `${title} | ${name}` }] };
  };

export const readUser = ({ queryClient, user }: Context & { user: Session }) =>
  import('../users/queries').then(({ userQuery }) => queryClient.fetchQuery(userQuery(user.id)));

/**
 * One chunk each lists the account pages, the order pages and the list pages, which keeps them out of the first load.
 */
export const accountPage = (name: AccountPage) =>
  lazyPage(() => import('../users/pages').then(({ loadPage }) => loadPage(name)));
export const orderPage = (name: OrdersPage) =>
  lazyPage(() => import('../orders/pages').then(({ loadPage }) => loadPage(name)));
export const listPage = (name: ListsPage) =>
  lazyPage(() => import('../lists/pages/pages').then(({ loadPage }) => loadPage(name)));

export const readAccount = ({ context }: { context: Context & { user: Session } }) => load(readUser(context));

export const readLists = ({ context: { queryClient, user } }: { context: Context & { user: Session } }) =>
  load(import('../lists/core/listsQuery').then(({ listsQuery }) => queryClient.fetchQuery(listsQuery(user.id))));
