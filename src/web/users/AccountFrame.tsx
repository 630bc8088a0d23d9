import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Heading } from '../ui/Heading';
import side from '../ui/SidePages.module.css';
import styles from './AccountFrame.module.css';

/** The pages of the Settings menu, as a column on the left. */
const pages = [
  { label: 'Profile', to: '/customer/view/profile' },
  { label: 'Edit Profile', to: '/customer/edit/profile' },
  { label: 'View Addresses', to: '/customer/view/addresses' },
  { label: 'Orders', to: '/customer/orders' },
  { label: 'My lists', to: '/customer/lists' },
  { label: 'Updates', to: '/customer/changes' },
] as const;

interface Props {
  title: string;
  /** To the right of the title. */
  action?: ReactNode;
  /** Below the title: what the page shows. */
  about?: string;
  children: ReactNode;
}

/** The frame of account pages. On phones the tab bar has the same entries, so the column is hidden. */
export function AccountFrame({ title, action, about, children }: Props) {
  return (
    <div className={`wrap ${side['frame']}`}>
      <nav className={side['pages']} aria-label="Settings">
        {pages.map(({ label, to }) => (
          <Link key={to} to={to} preload={false}>
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles['page']}>
        <div className={styles['head']}>
          <Heading as="h1" textStyle="h1" tabIndex={-1}>
            {title}
          </Heading>
          {action}
          {about && <p className={`muted ${styles['about']}`}>{about}</p>}
        </div>
        {children}
      </div>
    </div>
  );
}
