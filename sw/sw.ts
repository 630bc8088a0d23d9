/**
 * The service worker: the shop opens without a connection, and the app and pictures on the device stay usable.
 *
 * Promise: it keeps only files that are the same for everybody and change with a release or never (the app, pictures).
 * Pages and answers of the API are never kept here: the device's data about the catalog and a user is in IndexedDB,
 * where the logout can delete it. A file is kept only when its content has the hash that the build listed, so neither a
 * login page of a public network nor half a release can get in.
 */
import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { findPage, findPicture, isPage, isPicture } from './caching';
import { answerMessages, leaveApiToNetwork, preloadPages, wakeOutbox } from './listeners';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

// the build inserts the list of the app's files; '/' is a page and not the index of a folder
precacheAndRoute(self.__WB_MANIFEST, { directoryIndex: '', cleanURLs: false });
registerRoute(isPage, findPage);
registerRoute(isPicture, findPicture);

leaveApiToNetwork();
preloadPages();
answerMessages();
wakeOutbox();
clientsClaim(); // the first visit is kept, too; a new version waits until the user asks for it (answerMessages)
cleanupOutdatedCaches();
