import type { QueryClient } from '@tanstack/react-query';
import { followCatalog } from '../device/syncCatalog';
import { journal } from '../kitchen/journal';

/**
 * Keeps the catalog on this device, and notes what changes in it for whoever was away.
 * @returns how to stop
 */
export const saveOffline = (cache: QueryClient): (() => void) => followCatalog(cache, journal);
