import { useLocation } from '@tanstack/react-router';
import { type RefObject, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../ui/lazyPart';

const load = () => import('./SearchPanel');
const SearchPanel = lazyPart(load, 'SearchPanel');

/**
 * Opens the search over the page, from the magnifier or with the key `/`. Until this has loaded, and without
 * JavaScript, the magnifier links to /search.
 * @param link the magnifier; it gets the focus back
 */
export function SearchOpener({ link }: { link: RefObject<HTMLElement | null> }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [openAt, setOpenAt] = useState<string>();
  useEffect(() => {
    const open = (event: Event) => {
      event.preventDefault();
      setOpenAt(path);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '/' && !isBrowserShortcut(event) && !isBusy(event.target)) open(event);
    };
    const onClick = (event: MouseEvent) => isBrowserShortcut(event) || open(event);
    const prepare = () => void load();
    const magnifier = link.current;
    document.addEventListener('keydown', onKey);
    magnifier?.addEventListener('click', onClick, { capture: true });
    magnifier?.addEventListener('pointerenter', prepare);
    return () => {
      document.removeEventListener('keydown', onKey);
      magnifier?.removeEventListener('click', onClick, { capture: true });
      magnifier?.removeEventListener('pointerenter', prepare);
    };
  }, [link, path]);
  if (openAt !== path) return null; // navigation closes it
  return (
    <Suspense>
      <SearchPanel opener={link} onClose={() => setOpenAt(undefined)} />
    </Suspense>
  );
}

/** The browser's own shortcuts, such as opening a link in a new tab. */
const isBrowserShortcut = ({ ctrlKey, metaKey, altKey, shiftKey, type }: KeyboardEvent | MouseEvent) =>
  ctrlKey || metaKey || altKey || (shiftKey && type === 'click'); // on some keyboards `/` needs Shift

/** The user is typing, or a dialog is open. */
function isBusy(target: EventTarget | null): boolean {
  const isField =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
  return isField || document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}
