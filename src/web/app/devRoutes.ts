import { createRoute } from '@tanstack/react-router';
import { lazyPage } from './lazyPage';
import { rootRoute } from './rootRoute';

/** Only in `npm run dev`: the build drops imports behind a false condition. */
export const devRoutes = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => rootRoute,
        path: 'gallery',
        component: lazyPage(() => import('../gallery/GalleryPage'), 'GalleryPage'),
      }),
      createRoute({
        getParentRoute: () => rootRoute,
        path: 'gallery/parts',
        component: lazyPage(() => import('../gallery/PartsPage'), 'PartsPage'),
      }),
    ]
  : [];
