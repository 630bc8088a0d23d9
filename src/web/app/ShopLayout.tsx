import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useAfterLoad } from '../ui/afterLoad';
import { Footer } from './Footer';
import styles from './ShopLayout.module.css';
import { aliveEvent } from './startNames';
import { TabBar } from './TabBar';
import { TopBar } from './TopBar';

const loadBanners = () => import('./Banners');

/** The frame of every storefront screen: skip link, top bar, page, footer, and the phone's tab bar. */
export function ShopLayout({ children }: { children?: ReactNode }) {
  useAliveEvent();
  const banners = useAfterLoad(loadBanners);
  return (
    <>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <TopBar />
      {banners && <banners.Banners />}
      <main id="main" className={styles['page']}>
        {children ?? <Outlet />}
      </main>
      <Footer />
      <TabBar />
    </>
  );
}

/** Dispatched here because React hydrates the layout's ancestors before the layout and its children. */
function useAliveEvent(): void {
  useEffect(() => {
    // outside React's render: the replayed click makes React hydrate the clicked part synchronously
    const timer = setTimeout(() => window.dispatchEvent(new Event(aliveEvent)));
    return () => clearTimeout(timer);
  }, []);
}
