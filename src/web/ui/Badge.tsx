import styles from './Badge.module.css';

export type BadgeTone = 'success' | 'warn' | 'error' | 'info' | 'neutral';

/** A word with a dot: filled for yes, hollow for no, so that it reads without colour. */
export function Badge({ tone, hollow, children }: { tone: BadgeTone; hollow?: boolean; children: string }) {
  return <span className={`${styles['badge']} ${styles[tone]} ${hollow ? styles['hollow'] : ''}`}>{children}</span>;
}
