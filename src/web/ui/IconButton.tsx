import type { ComponentProps } from 'react';
import { LaterIcon, type LaterIconName } from './LaterIcon';
import styles from './IconButton.module.css';

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & { icon: LaterIconName; label: string };

/** A round button with only an icon; the label is for screen readers. */
export function IconButton({ icon, label, className = '', ...button }: Props) {
  return (
    <button type="button" aria-label={label} className={`${styles['button']} ${className}`} {...button}>
      <LaterIcon name={icon} />
    </button>
  );
}
