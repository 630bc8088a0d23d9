import { Link } from '@tanstack/react-router';
import { useShopFacts } from './shopFacts';
import styles from './Brand.module.css';

/** The logo, or else the jar lid with the ampersand, and the shop's name. */
export function Brand() {
  const { name, logo } = useShopFacts();
  const [start, word, rest] = atAmpersand(name);
  return (
    <Link to="/" className={styles['brand']} aria-label={`${name}, Home`}>
      <span className={styles['lid']} aria-hidden="true">
        {logo ? <img {...logo} alt="" /> : '&'}
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
 * Splits the name at its last ampersand.
 * @returns the text before it, the following word that must stay on its line, and the rest; or the name alone
 */
export const atAmpersand = (name: string): (string | undefined)[] =>
  (/^(.*)&(\s?\S{1,12})(?!\S)([^&]*)$/.exec(name) ?? [name, name]).slice(1);
