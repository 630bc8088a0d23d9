/** The routes of the worker. A request that no route matches goes to the network as if there were no worker. */
import type { RouteHandlerCallback, RouteMatchCallback } from 'workbox-core';
/** The URL of a page is outside of the API and the folders of files, and has no file ending. */
export declare const isPage: RouteMatchCallback;
/**
 * Pages come from the server, which renders them. Without the server the shell starts the app at any URL: the app has
 * the route table, and shows which page needs a connection or does not exist.
 */
export declare const findPage: RouteHandlerCallback;
/** A picture that the page fetches in order to keep it goes past the worker, so that it is not kept twice. */
export declare const isPicture: RouteMatchCallback;
/**
 * Pictures have the hash of their content in their names, so a kept one is never asked for again. The page keeps a
 * small picture of each product for good (src/web/device/pictures.ts). Larger ones that were seen are kept up to a
 * number, and go first when the device runs out of room; instead of a missing one, the small one is shown.
 */
export declare const findPicture: RouteHandlerCallback;
