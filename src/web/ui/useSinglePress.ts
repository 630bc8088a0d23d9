import { useRef } from 'react';

/** @returns ignores a double press: a page being left stays a moment */
export function useSinglePress() {
  const free = useRef(0);
  return (act: () => void) => {
    if (performance.now() < free.current) return;
    free.current = performance.now() + 1000;
    act();
  };
}
