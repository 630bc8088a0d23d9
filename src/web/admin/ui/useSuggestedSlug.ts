import { useRef } from 'react';
import { slugOf } from '../../../shared/slugs';

interface Options {
  /** Of a new thing. Later its slug stays, because URLs contain it. */
  isNew: boolean;
  maxLength: number;
}

/**
 * A slug that is made of another text, until it is typed.
 * @returns call it when the text changes: the new slug, or undefined if the present one stays
 */
export function useSuggestedSlug({ isNew, maxLength }: Options): (text: string, slug: string) => string | undefined {
  const suggested = useRef('');
  return (text, slug) => {
    const isTyped = slug !== '' && slug !== suggested.current;
    if (!isNew || isTyped) return undefined;
    suggested.current = slugOf(text, maxLength);
    return suggested.current;
  };
}
