import { type ErrorComponentProps, getRouteApi, useLoaderData } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { offlineMessages } from '../../shared/offline';
import { useIsOnline } from '../server/reachability';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';
import { ErrorPage } from './ErrorPage';
import { ShopLayout } from './ShopLayout';
import { lazyPart } from '../ui/lazyPart';

const AdminArea = lazyPart(() => import('../admin/shell/AdminArea'), 'AdminArea');

const ForbiddenPage = lazyPart(() => import('../ui/ForbiddenPage'), 'ForbiddenPage');

const route = getRouteApi('/admin');

/**
 * Shows the back office to staff. Nobody else downloads its code.
 * Rule: docs/rules/screens.md, Guards
 */
export function AdminGate() {
  const { mayEnter } = route.useRouteContext();
  if (!mayEnter) {
    return (
      <ShopLayout>
        <Suspense>
          <ForbiddenPage />
        </Suspense>
      </ShopLayout>
    );
  }
  return (
    <Suspense>
      <AdminArea />
    </Suspense>
  );
}

/** The page that the route's loader returned. */
export function AdminPage() {
  const { Page } = useLoaderData({ strict: false }) as { Page?: ComponentType };
  return Page && <Page />;
}

/** Uses the shop's frame, because the back office's frame failed to load too. */
export function AdminFailure({ error }: Failure) {
  return (
    <ShopLayout>
      <AdminPageFailure error={error} />
    </ShopLayout>
  );
}

/** Offline, the back office is unavailable: the device stores neither its data nor its code. */
export function AdminPageFailure({ error }: Failure) {
  const isOnline = useIsOnline();
  if (isOnline) return <ErrorPage error={error} />;
  return (
    <EmptyState
      title={offlineMessages.needsConnection('use the back office')}
      art={<Disc icon="cloudOff" tone="neutral" />}
    />
  );
}

type Failure = Pick<ErrorComponentProps, 'error'>;
