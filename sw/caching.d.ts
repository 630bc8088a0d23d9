/** The worker's routes. Requests that match no route go to the network as if there were no worker. */
import type { RouteHandlerCallback, RouteMatchCallback } from 'workbox-core';
/** A page's URL is outside the API and the file folders, and has no file extension. */
export declare const isPage: RouteMatchCallback;
/**
 * Pages come from the server, which renders them. Without it, the shell starts the app at any URL: the app has the
 * route table and shows that a page needs a connection or doesn't exist.
 */
export declare const findPage: RouteHandlerCallback;
/**
 * Matches <img> requests only: pictures that the page fetches to save them bypass the worker, so they aren't stored
 * twice.
 */
export declare const isPicture: RouteMatchCallback;
/**
 * Picture names contain a hash of their content, so a cached picture is never revalidated. The page saves a small
 * picture of each product permanently (src/web/device/pictures.ts). Larger ones that were viewed are cached up to a
 * limit, and evicted first when storage runs out; then the small one is shown instead.
 */
export declare const findPicture: RouteHandlerCallback;
