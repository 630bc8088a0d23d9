import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useHonestSentence } from '../../connection/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import { Icon } from '../../ui/Icon';
import { PageTitle } from '../../ui/PageMeta';
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

interface PendingProps {
  query: { data: unknown; error: unknown; refetch: () => unknown };
  /** What is said when it did not come. */
  failure: string;
  /** What is on its way: 'the order'. */
  what: string;
  className: string | undefined;
}

/** In the place of what is not here yet: that it is on its way, or why it did not come. */
export function Pending({ query: { data, error, refetch }, failure, what, className }: PendingProps) {
  const sentence = useHonestSentence(failure);
  if (data !== undefined) return null;
  if (error) return <FailureNotice sentence={sentence} onRetry={refetch} />;
  return <output className={`skeleton ${className}`} aria-label={`Loading ${what}`} />;
}
