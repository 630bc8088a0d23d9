import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'h1'> {
  as: 'h1' | 'h2' | 'h3';
  /** How large it is, whatever its level. */
  textStyle: 'display' | 'h1' | 'h2' | 'h3';
}

/** A heading in the shop's letters, with lines of about one length. */
export function Heading({ as: Level, textStyle, className = '', children, ...heading }: Props) {
  return (
    <Level {...heading} className={`heading text-${textStyle} ${className}`}>
      {children}
    </Level>
  );
}
