/**
 * The service worker: the shop opens without a connection, and what was here before the connection broke stays usable.
 *
 * Promise: it keeps only what is the same for everybody and changes with a release or never (the app's files, pictures).
 * Pages and answers of the API are never kept here: what the device knows of the catalog and of a user is in IndexedDB,
 * where logging out can find it. A file is kept only when its content has the hash that the build wrote down, so neither
 * a sign-in page of a public network nor half a release can get in.
 */
import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { findPage, findPicture, isPage, isPicture } from './caching';
import { answerMessages, leaveApiToNetwork, preloadPages, wakeOutbox } from './listeners';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] };

// the build puts the list of the app's files here; '/' is a page and not a file of a folder
precacheAndRoute(self.__WB_MANIFEST, { directoryIndex: '', cleanURLs: false });
registerRoute(isPage, findPage);
registerRoute(isPicture, findPicture);

leaveApiToNetwork();
preloadPages();
answerMessages();
wakeOutbox();
clientsClaim(); // the first visit is kept, too; a new version takes over only when the user says so (answerMessages)
cleanupOutdatedCaches();
