import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Heading } from '../ui/Heading';
import styles from './AccountFrame.module.css';

/** The entries of the Settings menu that are pages, as a column at the left. */
const pages = [
  { label: 'Profile', to: '/customer/view/profile' },
  { label: 'Edit Profile', to: '/customer/edit/profile' },
  { label: 'View Addresses', to: '/customer/view/addresses' },
  { label: 'Orders', to: '/customer/orders' },
  { label: 'My lists', to: '/customer/lists' },
  { label: 'What changed', to: '/customer/changes' },
] as const;

interface Props {
  title: string;
  /** At the right of the title. */
  action?: ReactNode;
  /** Under the title: what the page shows. */
  about?: string;
  children: ReactNode;
}

/** A page of the account. On a phone the tab bar has the same entries, so the column is left out there. */
export function AccountFrame({ title, action, about, children }: Props) {
  return (
    <div className={`wrap ${styles['frame']}`}>
      <nav className={styles['pages']} aria-label="Settings">
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
