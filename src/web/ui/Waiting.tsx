import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  /** What is loading: "your orders". */
  what: string;
  className?: string | undefined;
  /** Skeletons with the size of the content. */
  children: ReactNode;
}

/**
 * Replaces content that is loading. Announced once, beside the skeletons, because screen readers skip busy content. The
 * text is set in an effect, because only changes of a live region are announced.
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
