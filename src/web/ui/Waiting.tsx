import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  /** What is on its way: 'your orders'. */
  what: string;
  className?: string | undefined;
  /** Skeletons of the size of what they stand for. */
  children: ReactNode;
}

/**
 * In the place of what is on its way. It is said once, beside the skeletons: what is busy is not read out. The words come
 * a moment after their place, since only a change is.
 */
export function Waiting({ what, className, children }: Props) {
  const place = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (place.current) place.current.textContent = `Loading ${what}`;
  }, [what]);
  return (
    <>
      <output ref={place} className="sr-only" />
      <div className={className} aria-busy="true">
        {children}
      </div>
    </>
  );
}
