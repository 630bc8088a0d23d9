import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon';
import { PageTitle } from '../../ui/PageTitle';
import styles from './AdminHead.module.css';

interface Props {
  title: string;
  /** Where the link above the title leads, and its words. */
  back?: { to: string; label?: string };
  /** Beside the title, such as a badge. */
  beside?: ReactNode;
  /** At the right end: the page's one solid button, and what else belongs to the whole page. */
  children?: ReactNode;
}

/** The title of an admin page, which is the tab's title too. */
export function AdminHead({ title, back, beside, children }: Props) {
  return (
    <div className={styles['head']}>
      <PageTitle>{title}</PageTitle>
      {back && (
        <Link to={back.to} className={styles['back']}>
          <Icon name="left" />
          {back.label ?? 'Back'}
        </Link>
      )}
      <div className={styles['row']}>
        <div className={styles['title']}>
          <h1 tabIndex={-1}>{title}</h1>
          {beside}
        </div>
        {children && <div className={styles['actions']}>{children}</div>}
      </div>
    </div>
  );
}
