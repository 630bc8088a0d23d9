import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { importWhileHere } from '../browser/importWhileHere';

/** A component whose code is loaded at its first render: `lazyPart(() => import('./HoldDialog'), 'HoldDialog')`. */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<{ [name in Name]: ComponentType<Props> }>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: (await importWhileHere(load()))[name] }));
