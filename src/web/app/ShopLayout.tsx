import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAfterLoad } from '../ui/afterLoad';
import { Footer } from './Footer';
import styles from './ShopLayout.module.css';
import { TabBar } from './TabBar';
import { TopBar } from './TopBar';

const loadOfflineBanner = () => import('../connection/OfflineBanner');

/** The frame of every storefront screen: skip link, top bar, the page, footer, and the tab bar of a phone. */
export function ShopLayout({ children }: { children?: ReactNode }) {
  const offline = useAfterLoad(loadOfflineBanner);
  return (
    <>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <TopBar />
      {offline && <offline.OfflineBanner />}
      <main id="main" className={styles['page']}>
        {children ?? <Outlet />}
      </main>
      <Footer />
      <TabBar />
    </>
  );
}
