import { Button, type ButtonProps } from '@chakra-ui/react/button';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type Look = Pick<ButtonProps, 'size' | 'variant'>;

function Anchor({ size, variant, children, ...anchor }: ComponentProps<'a'> & Look) {
  return (
    <Button asChild size={size} variant={variant}>
      <a {...anchor}>{children}</a>
    </Button>
  );
}

/** A link that looks like a button: `<ButtonLink to="/cart" variant="outline">`. */
export const ButtonLink = createLink(Anchor);
