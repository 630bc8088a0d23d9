import { createRootRouteWithContext } from '@tanstack/react-router';
import { NotFoundPage } from '../catalog/core/NotFoundPage';
import { Root } from './Root';
import type { Context } from './routeParts';
import { ShopLayout } from './ShopLayout';

/** The parent of all routes. */
export const rootRoute = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: () => (
    <ShopLayout>
      <NotFoundPage />
    </ShopLayout>
  ),
});
