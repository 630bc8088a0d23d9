import { useEffect, useState } from 'react';

export type Paper = 'Packing slip' | 'Receipt';

/** Prints one paper of the page in place of the page. @returns what is being printed, and how to print it */
export function usePaper() {
  const [paper, setPaper] = useState<Paper>();
  useEffect(() => {
    if (!paper) return undefined;
    const done = () => setPaper(undefined);
    window.addEventListener('afterprint', done);
    window.print();
    return () => window.removeEventListener('afterprint', done);
  }, [paper]);
  return { paper, print: setPaper };
}
