import type { QueryClient } from '@tanstack/react-query';
import { keepCatalog } from '../device/keepCatalog';
import { journal } from '../kitchen/journal';

/**
 * Keeps the catalog on this device, and notes what changes in it for whoever was away.
 * @returns how to stop
 */
export const keepOffline = (cache: QueryClient): (() => void) => keepCatalog(cache, journal);
