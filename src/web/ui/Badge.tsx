import styles from './Badge.module.css';
import { Icon, type IconName } from './Icon';

export type BadgeTone = 'success' | 'warn' | 'error' | 'info' | 'neutral';

interface Props {
  tone: BadgeTone;
  hollow?: boolean;
  /** In place of the dot. */
  icon?: IconName;
  children: string;
}

/** A word with a dot: filled for yes, hollow for no, so that it reads without colour. */
export function Badge({ tone, hollow, icon, children }: Props) {
  return (
    <span
      className={`${styles['badge']} ${styles[tone]} ${hollow ? styles['hollow'] : ''} ${icon ? styles['drawn'] : ''}`}
    >
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  );
}
