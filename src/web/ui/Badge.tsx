import type { ReactElement } from 'react';
import styles from './Badge.module.css';

export type BadgeTone = 'success' | 'warn' | 'error' | 'info' | 'neutral';

interface Props {
  tone: BadgeTone;
  hollow?: boolean;
  /** In place of the dot. */
  icon?: ReactElement;
  children: string;
}

/** A word with a dot: filled for yes, hollow for no, so that it reads without colour. */
export function Badge({ tone, hollow, icon, children }: Props) {
  return (
    <span
      className={`${styles['badge']} ${styles[tone]} ${hollow ? styles['hollow'] : ''} ${icon ? styles['drawn'] : ''}`}
    >
      {icon}
      {children}
    </span>
  );
}
