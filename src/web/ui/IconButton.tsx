import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon';
import styles from './IconButton.module.css';

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & { icon: IconName; label: string };

/** A round button that shows only a drawing; its label is for those who do not see it. */
export function IconButton({ icon, label, className = '', ...button }: Props) {
  return (
    <button type="button" aria-label={label} className={`${styles['button']} ${className}`} {...button}>
      <Icon name={icon} />
    </button>
  );
}
