import type { ComponentProps } from 'react';
import styles from './Button.module.css';

export interface ButtonLook {
  size?: 'sm' | 'md' | 'lg' | undefined;
  variant?: 'solid' | 'outline' | 'ghost' | undefined;
  /** Red, for what takes something away. */
  colorPalette?: 'error' | undefined;
  className?: string | undefined;
}

/** The classes of a button, for what looks like one. */
export function buttonClass({ size = 'md', variant = 'solid', colorPalette, className }: ButtonLook): string {
  const looks = [styles['button'], styles[size], styles[variant], colorPalette && styles[colorPalette], className];
  return looks.filter(Boolean).join(' ');
}

/** A button of the shop's pages. It is of the first load, and so of plain CSS. */
export function Button({ size, variant, colorPalette, className, ...button }: ComponentProps<'button'> & ButtonLook) {
  return <button type="button" {...button} className={buttonClass({ size, variant, colorPalette, className })} />;
}
