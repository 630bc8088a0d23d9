import type { QueryClient } from '@tanstack/react-query';
import { followCatalog } from '../device/syncCatalog';
import { journal } from '../lists/pages/journal';

/**
 * Keeps the catalog on this device in sync, and records its changes for users who were away.
 * @returns a function that stops it
 */
export const saveOffline = (cache: QueryClient): (() => void) => followCatalog(cache, journal);
