import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { whileHere } from '../browser/whileHere';

/** A part of a page, whose code comes when it is first drawn: `lazyPart(() => import('./HoldDialog'), 'HoldDialog')`. */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<{ [name in Name]: ComponentType<Props> }>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: (await whileHere(load()))[name] }));
