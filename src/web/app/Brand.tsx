import { Link } from '@tanstack/react-router';
import styles from './Brand.module.css';

/** The jar lid with the ampersand, and the shop's name. */
export function Brand() {
  return (
    <Link to="/" className={styles['brand']} aria-label="Savory, Seasoning & Spices, Home">
      <span className={styles['lid']} aria-hidden="true">
        &amp;
      </span>
      <span>
        Savory, Seasoning <span className={styles['together']}>&amp; Spices</span>
      </span>
    </Link>
  );
}
