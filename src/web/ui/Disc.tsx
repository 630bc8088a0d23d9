import type { BadgeTone } from './Badge';
import styles from './Disc.module.css';
import { Icon, type IconName } from './Icon';

/** The large icon of a screen with a single message. */
export function Disc({ icon, tone }: { icon: IconName; tone: Extract<BadgeTone, 'success' | 'error' | 'neutral'> }) {
  return (
    <span className={`${styles['disc']} ${styles[tone]}`}>
      <Icon name={icon} size={40} />
    </span>
  );
}
