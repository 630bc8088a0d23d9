import 'virtual:theme.css';
import './app/fonts.css';
import './app/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { formLoginCookie } from '../shared/deviceNames';
import { afterLoad } from './ui/afterLoad';
import { takePageData } from './app/pageData';
import { session } from './server/session';
import { createShop, followSession } from './app/shop';
import { storeInstallOffer } from './app/installOffer';
import { preserveStartScroll } from './app/startScroll';
import { shopQuery } from './settings/queries';

const shop = createShop();
followSession(shop);
storeInstallOffer();
/**
 * Loads a part that the first view doesn't need. A failure is ignored: the page may be left meanwhile, or be offline.
 */
const load = <Part,>(part: Promise<Part>, start: (part: Part) => void) => void part.then(start, () => undefined);
const loadLiveUpdates = () => load(import('./app/liveUpdates'), ({ startLiveUpdates }) => void startLiveUpdates(shop));
afterLoad(() => load(import('./app/saveOffline'), ({ saveOffline }) => void saveOffline(shop.queryClient)));
afterLoad(() => load(import('./ui/keepFocus'), ({ keepFocus }) => void keepFocus()));
if (import.meta.env.PROD) afterLoad(() => load(import('./device/saveShop'), ({ saveShop }) => saveShop()));

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// guards read the session
if (!document.cookie.includes(formLoginCookie)) start(root);
else {
  void import('./auth/queries')
    .then(({ takeFormLogin }) => takeFormLogin(shop.queryClient))
    .catch(() => undefined) // offline: treat as a visitor for now
    .then(() => start(root));
}

function start(root: HTMLElement): void {
  if (session.get()) loadLiveUpdates(); // the page also shows unsent changes
  else afterLoad(loadLiveUpdates);
  if (!takePageData(shop.queryClient)) {
    const render = () =>
      createRoot(root).render(
        <StrictMode>
          <RouterProvider router={shop.router} />
        </StrictMode>,
      );
    const palette = shop.queryClient.getQueryData(shopQuery.queryKey)?.palette;
    if (palette === document.documentElement.dataset['palette']) render();
    // offline, in the worker's page without the shop's colors: it would change them before one's eyes
    else
      void import('./app/palette')
        .then(({ showPalette }) => showPalette(palette))
        .catch(() => undefined)
        .then(render);
    return;
  }
  preserveStartScroll(shop.router);
  // in a transition, hydration runs in small steps and the page stays responsive
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <RouterClient router={shop.router} />
      </StrictMode>,
    );
  });
}
