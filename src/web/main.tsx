import 'virtual:theme.css';
import './app/fonts.css';
import './app/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { afterLoad } from './ui/afterLoad';
import { takePageData } from './app/pageData';
import { session } from './server/session';
import { createShop, followSession } from './app/shop';
import { keepInstallOffer } from './app/installOffer';
import { keepStartScroll } from './app/startScroll';

const shop = createShop();
followSession(shop);
keepInstallOffer();
const loadKeepInStep = () => void import('./app/keepInStep').then(({ keepInStep }) => keepInStep(shop));
if (session.get()) loadKeepInStep(); // the page shows unsent changes too
else afterLoad(loadKeepInStep);
afterLoad(() => void import('./device/keepCatalog').then(({ keepCatalog }) => keepCatalog(shop.queryClient)));
if (import.meta.env.PROD) afterLoad(() => void import('./device/keepShop').then(({ keepShop }) => keepShop()));

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
if (takePageData(shop.queryClient)) {
  keepStartScroll(shop.router);
  // as a transition: in small steps, between which the page answers
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <RouterClient router={shop.router} />
      </StrictMode>,
    );
  });
} else {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={shop.router} />
    </StrictMode>,
  );
}
