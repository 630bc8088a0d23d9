/**
 * The service worker: the shop opens offline, with the app and pictures stored on the device.
 *
 * It caches only files that are the same for everyone and change with a release or never (the app, pictures). It never
 * caches pages or API responses: catalog and user data is in IndexedDB, where the logout can delete it. A precached
 * file is stored only when its content has the hash that the build listed, so that neither a captive portal's login
 * page nor half a release gets in.
 */
import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { findPage, findPicture, isPage, isPicture } from './caching';
import { answerMessages, leaveApiToNetwork, preloadPages, wakeOutbox } from './listeners';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

// the build inserts the list of the app's files; '/' is a page, not a folder's index
precacheAndRoute(self.__WB_MANIFEST, { directoryIndex: '', cleanURLs: false });
registerRoute(isPage, findPage);
registerRoute(isPicture, findPicture);

leaveApiToNetwork();
preloadPages();
answerMessages();
wakeOutbox();
clientsClaim(); // control the first visit too; a new version waits until the user accepts it (answerMessages)
cleanupOutdatedCaches();
