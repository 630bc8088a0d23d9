import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { buttonClass, type ButtonLook } from './Button';

function Anchor({
  size,
  variant,
  className,
  children,
  ...anchor
}: ComponentProps<'a'> & Omit<ButtonLook, 'colorPalette'>) {
  return (
    <a {...anchor} className={buttonClass({ size, variant, className })}>
      {children}
    </a>
  );
}

/** A link that looks like a button: `<ButtonLink to="/cart" variant="outline">`. */
export const ButtonLink = createLink(Anchor);
