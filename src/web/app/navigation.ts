import { deferMenu } from '../ui/deferMenu';

/** The menus behind Products and Settings, the same in the top bar and in the tab bar. */
export const ProductsMenu = deferMenu(async () => (await import('./ProductsMenu')).ProductsMenu);
export const SettingsMenu = deferMenu(async () => (await import('./SettingsMenu')).SettingsMenu);

/** Scrolls to the section also at a second click; the router alone would restore the former position. */
export const aboutLink = { to: '/', hash: 'about', resetScroll: false } as const;

/** The product page's address begins like a customer's own pages, and belongs to the products. */
export const isAboutProducts = (path: string) => /^\/(?:products|customer\/view\/product)\//.test(path);
export const isAboutTheUser = (path: string) =>
  /^\/customer\/(?:(?:view|edit)\/profile|view\/addresses|orders|lists|changes)/.test(path);

/** Whether the page is part of paying: nothing may come between the customer and the order there. */
export const isPaying = (pathname: string): boolean =>
  pathname === '/checkout' || pathname === '/customer/order/success';
