import type { ComponentProps } from 'react';
import styles from './Button.module.css';

export interface ButtonLook {
  size?: 'sm' | 'md' | 'lg' | undefined;
  variant?: 'solid' | 'outline' | 'ghost' | undefined;
  /** Red, for destructive actions. */
  colorPalette?: 'error' | undefined;
  className?: string | undefined;
}

/** The classes of a button, for elements that look like one. */
export function buttonClass({ size = 'md', variant = 'solid', colorPalette, className }: ButtonLook): string {
  const looks = [styles['button'], styles[size], styles[variant], colorPalette && styles[colorPalette], className];
  return looks.filter(Boolean).join(' ');
}

/** A button of the storefront. Plain CSS, because it is in the first load. */
export function Button({ size, variant, colorPalette, className, ...button }: ComponentProps<'button'> & ButtonLook) {
  return <button type="button" {...button} className={buttonClass({ size, variant, colorPalette, className })} />;
}
