import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'h1'> {
  as: 'h1' | 'h2' | 'h3';
  /** The size, independent of the level. */
  textStyle: 'display' | 'h1' | 'h2' | 'h3';
}

/** A heading in the shop's font, with balanced lines. */
export function Heading({ as: Level, textStyle, className = '', children, ...heading }: Props) {
  return (
    <Level {...heading} className={`heading text-${textStyle} ${className}`}>
      {children}
    </Level>
  );
}
