import { deferMenu } from '../ui/deferMenu';

/** The menus behind Products and Settings, the same in the top bar and in the tab bar. */
export const ProductsMenu = deferMenu(async () => (await import('./ProductsMenu')).ProductsMenu);
export const SettingsMenu = deferMenu(async () => (await import('./SettingsMenu')).SettingsMenu);

/** Pressed once more, it leads back to its section: else the router puts the page where it was left. */
export const aboutLink = { to: '/', hash: 'about', resetScroll: false } as const;

/** The product page's address begins like a customer's own pages, and belongs to the products. */
export const isAboutProducts = (path: string) => /^\/(?:products|customer\/view\/product)\//.test(path);
export const isAboutTheUser = (path: string) =>
  /^\/customer\/(?:(?:view|edit)\/profile|view\/addresses|orders)/.test(path);
