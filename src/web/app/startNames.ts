/** Dispatched when the app has hydrated a server-rendered page (see pageStart.ts). */
export const aliveEvent = 'shop-alive';

/**
 * The window property in which the start script stores the browser's install event, which fires once and maybe before
 * the app loads.
 */
export const earlyOfferKey = 'shopInstallOffer';
