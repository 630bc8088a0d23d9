import { lazyRouteComponent } from '@tanstack/react-router';
import { importWhileHere } from '../browser/importWhileHere';

/** A page whose code is loaded on demand: `lazyPage(() => import('../home/HomePage'), 'HomePage')`. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => importWhileHere(load()), name);
