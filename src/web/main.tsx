import './app/fonts.css';
import './app/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { RouterClient } from '@tanstack/react-router/ssr/client';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { takePageData } from './app/pageData';
import { createShop, followSession } from './app/shop';

const shop = createShop();
followSession(shop);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
if (takePageData(shop.queryClient)) {
  hydrateRoot(
    root,
    <StrictMode>
      <RouterClient router={shop.router} />
    </StrictMode>,
  );
} else {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={shop.router} />
    </StrictMode>,
  );
}
