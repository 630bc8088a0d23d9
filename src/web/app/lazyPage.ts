import { lazyRouteComponent } from '@tanstack/react-router';
import { whileHere } from '../browser/whileHere';

/** A page of the app, whose code comes when it is asked for: `lazyPage(() => import('../home/HomePage'), 'HomePage')`. */
export const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => whileHere(load()), name);
