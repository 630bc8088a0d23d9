import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { ReadFailure } from '../../connection/ReadFailure';
import { Icon } from '../../ui/Icon';
import { PageTitle } from '../../ui/PageMeta';
import { Waiting } from '../../ui/Waiting';
import styles from './AdminHead.module.css';

interface Props {
  title: string;
  /** The document title, if it differs. */
  pageTitle?: string;
  /** The target and label of the link above the title. */
  back?: { to: string; label?: string };
  /** Beside the title, such as a badge. */
  beside?: ReactNode;
  /** At the right end: the page's one solid button, and other actions on the whole page. */
  children?: ReactNode;
}

/** The title of an admin page, which is also the document title. */
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

/** The default way back in the back office. */
export const toDashboard: Back = { to: '/dashboard', label: 'Dashboard' };

interface PendingProps {
  query: Read & { data: unknown };
  /** The message if loading fails. */
  failure: string;
  /** Where to go if it does not exist. */
  back?: Back;
  /** What is loading: 'the order'. */
  what: string;
  className: string | undefined;
}

/** Shows that a query is loading, or why it failed. */
export function Pending({ query, failure, back = toDashboard, what, className }: PendingProps) {
  if (query.data !== undefined) return null;
  if (query.error) return <ReadFailure read={query} failure={failure} back={back} />;
  return (
    <Waiting what={what}>
      <span className={`skeleton ${className}`} />
    </Waiting>
  );
}
