import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon';
import styles from './Toolbar.module.css';

const pauseMs = 300;

/**
 * A search that runs while it is typed, after a short pause.
 * @param onSearch is told the new text; Back may change `value` as well
 */
export function SearchBox({ label, value, onSearch }: { label: string; value: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (shown !== value) {
    setShown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string) => {
    clearTimeout(timer.current);
    if (text.trim() !== value) onSearch(text.trim());
  };
  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(text), pauseMs);
  };
  return (
    <form
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault();
        search(typed);
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
    </form>
  );
}
