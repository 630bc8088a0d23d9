import type { BadgeTone } from './Badge';
import styles from './Disc.module.css';
import { Icon, type IconName } from './Icon';

/** The one symbol of a screen that says one thing. */
export function Disc({ icon, tone }: { icon: IconName; tone: Extract<BadgeTone, 'success' | 'error' | 'neutral'> }) {
  return (
    <span className={`${styles['disc']} ${styles[tone]}`}>
      <Icon name={icon} size={40} />
    </span>
  );
}
