import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';
import { Heading } from './Heading';

interface Props {
  title: string;
  /** An illustration or icon above the title. */
  art?: ReactNode;
  text?: string;
  /** A few facts below the text. */
  details?: ReactNode;
  /** More spacing, for payment results. */
  isAiry?: boolean;
  /** One or two buttons. */
  children?: ReactNode;
}

/** An icon, a title, and one or two buttons: for empty, missing or failed content. */
export function EmptyState({ title, art, text, details, isAiry = false, children }: Props) {
  return (
    <div className={`wrap ${styles['empty']} ${isAiry ? styles['airy'] : ''}`}>
      {art}
      <Heading as="h1" textStyle="h1" tabIndex={-1}>
        {title}
      </Heading>
      {text && <p className={`text-lead muted ${styles['text']}`}>{text}</p>}
      {details}
      <div className={styles['actions']}>{children}</div>
    </div>
  );
}
