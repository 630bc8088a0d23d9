import type { ReactNode } from 'react';
import styles from './FailureNotice.module.css';
import { Icon } from './Icon';

/** One line in place of the content. @param props.children a link or button */
export function FailureNotice({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <div className={styles['notice']} role="alert">
      <Icon name="alert" />
      <span>{sentence}</span>
      {children}
    </div>
  );
}
