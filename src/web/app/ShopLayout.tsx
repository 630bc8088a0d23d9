import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useAfterLoad } from '../ui/afterLoad';
import { Footer } from './Footer';
import styles from './ShopLayout.module.css';
import { aliveEvent } from './startNames';
import { TabBar } from './TabBar';
import { TopBar } from './TopBar';

const loadBanners = () => import('./Banners');

/** The frame of every storefront screen: skip link, top bar, the page, footer, and the tab bar of a phone. */
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

/** Here and not above: what is around the layout is taken over earlier than the layout with all that stands in it. */
function useAliveEvent(): void {
  useEffect(() => {
    // outside of React's render, since the repeated click makes React hydrate the pressed part at once
    const timer = setTimeout(() => window.dispatchEvent(new Event(aliveEvent)));
    return () => clearTimeout(timer);
  }, []);
}
