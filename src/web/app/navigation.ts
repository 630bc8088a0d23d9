import { deferMenu } from '../ui/deferMenu';

/** The Products and Settings menus, shared by the top bar and the tab bar. */
export const ProductsMenu = deferMenu(async () => (await import('./ProductsMenu')).ProductsMenu);
export const SettingsMenu = deferMenu(async () => (await import('./SettingsMenu')).SettingsMenu);

/** Scrolls to the section on a second click too; the router alone would restore the previous position. */
export const aboutLink = { to: '/', hash: 'about', resetScroll: false } as const;

/** The product page's URL starts like a customer's own pages, but belongs to the products. */
export const isProductPath = (path: string) => /^\/(?:products|customer\/view\/product)\//.test(path);
export const isAccountPath = (path: string) =>
  /^\/customer\/(?:(?:view|edit)\/profile|view\/addresses|orders|lists|changes)/.test(path);

/** Whether the page is part of payment, where nothing may distract the customer. */
export const isPaying = (pathname: string): boolean =>
  pathname === '/checkout' || pathname === '/customer/order/success';
