import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';
import { Heading } from './Heading';

interface Props {
  title: string;
  /** A drawing or symbol above the title. */
  art?: ReactNode;
  text?: string;
  /** A few facts under the text. */
  details?: ReactNode;
  /** A little more air, for what became of a payment. */
  isAiry?: boolean;
  /** One or two ways on. */
  children?: ReactNode;
}

/** One symbol, one sentence, one or two ways on: for what is empty, missing or has failed. */
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
