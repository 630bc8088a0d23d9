import type { ReactElement } from 'react';
import styles from './Badge.module.css';

export type BadgeTone = 'success' | 'warn' | 'error' | 'info' | 'neutral';

interface Props {
  tone: BadgeTone;
  hollow?: boolean;
  /** Replaces the dot. */
  icon?: ReactElement;
  children: string;
}

/** A word with a dot, filled or hollow, so that it doesn't rely on color. */
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
