import { Link } from '@tanstack/react-router';
import { useShopFacts } from './shopFacts';
import styles from './Brand.module.css';

/** The jar lid with the ampersand, and the shop's name. */
export function Brand() {
  const { name } = useShopFacts();
  const [start, word, rest] = atAmpersand(name);
  return (
    <Link to="/" className={styles['brand']} aria-label={`${name}, Home`}>
      <span className={styles['lid']} aria-hidden="true">
        &amp;
      </span>
      <span className={styles['name']}>
        {start}
        {word && <span className={styles['together']}>&amp;{word}</span>}
        {rest}
      </span>
    </Link>
  );
}

/**
 * Splits the name at its last ampersand: the text before it, the following word that must stay on its line, and the
 * rest.
 */
export function atAmpersand(name: string): [start: string, word?: string, rest?: string] {
  const index = name.lastIndexOf('&');
  const [word] = (index >= 0 && /^\s?\S{1,12}(?!\S)/.exec(name.slice(index + 1))) || [];
  return word === undefined ? [name] : [name.slice(0, index), word, name.slice(index + 1 + word.length)];
}
