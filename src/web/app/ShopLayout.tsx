import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Footer } from './Footer';
import styles from './ShopLayout.module.css';
import { TabBar } from './TabBar';
import { TopBar } from './TopBar';

/** The frame of every storefront screen: skip link, top bar, the page, footer, and the tab bar of a phone. */
export function ShopLayout({ children }: { children?: ReactNode }) {
  return (
    <>
      <a className={styles['skip']} href="#main">
        Skip to content
      </a>
      <TopBar />
      <main id="main" className={styles['page']}>
        {children ?? <Outlet />}
      </main>
      <Footer />
      <TabBar />
    </>
  );
}
