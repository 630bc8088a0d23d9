/** By it a page that the server drew learns that the app has taken it over (see pageStart.ts). */
export const aliveEvent = 'shop-alive';

/** Where the start script of a page keeps the browser's offer to install the shop, which may come before the app: it comes once. */
export const earlyOfferKey = 'shopInstallOffer';
