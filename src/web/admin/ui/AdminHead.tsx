import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { ReadFailure } from '../../connection/ReadFailure';
import { Icon } from '../../ui/Icon';
import { PageTitle } from '../../ui/PageMeta';
import { Waiting } from '../../ui/Waiting';
import styles from './AdminHead.module.css';

interface Props {
  title: string;
  /** What the tab of the browser says, if it is something else. */
  pageTitle?: string;
  /** Where the link above the title leads, and its words. */
  back?: { to: string; label?: string };
  /** Beside the title, such as a badge. */
  beside?: ReactNode;
  /** At the right end: the page's one solid button, and what else belongs to the whole page. */
  children?: ReactNode;
}

/** The title of an admin page, which is the tab's title too. */
export function AdminHead({ title, pageTitle = title, back, beside, children }: Props) {
  return (
    <div className={styles['head']}>
      <PageTitle>{pageTitle}</PageTitle>
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

type Failure = ComponentProps<typeof ReadFailure>;
type Read = Failure['read'];
type Back = NonNullable<Failure['back']>;

/** The way on of the back office. */
export const toDashboard: Back = { to: '/dashboard', label: 'Dashboard' };

interface PendingProps {
  query: Read & { data: unknown };
  /** What is said when it did not come. */
  failure: string;
  /** Where one goes on when there is no such thing. */
  back?: Back;
  /** What is on its way: 'the order'. */
  what: string;
  className: string | undefined;
}

/** In the place of what is not here yet: that it is on its way, or why it did not come. */
export function Pending({ query, failure, back = toDashboard, what, className }: PendingProps) {
  if (query.data !== undefined) return null;
  if (query.error) return <ReadFailure read={query} failure={failure} back={back} />;
  return (
    <Waiting what={what}>
      <span className={`skeleton ${className}`} />
    </Waiting>
  );
}
