import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ContactWays } from '../contact/ContactWays';
import { useSession } from '../server/session';
import { useShopFacts } from '../ui/shopFacts';
import { useAfterLoad } from '../ui/afterLoad';
import { atAmpersand } from '../ui/Brand';
import styles from './Footer.module.css';
import { aboutLink } from './navigation';

const loadSavedNote = () => import('./SavedNote');

export function Footer() {
  const [year] = useState(() => new Date().getFullYear());
  const saved = useAfterLoad(loadSavedNote);
  const { name, pages = [] } = useShopFacts();
  const user = useSession();
  const [start, word, rest] = atAmpersand(name);
  return (
    <footer className={styles['foot']}>
      <div className="wrap">
        <div className={styles['columns']}>
          <p className={styles['name']}>
            {start}
            {word && (
              <span className={styles['together']}>
                <b>&amp;</b>
                {word}
              </span>
            )}
            {rest}
          </p>
          <div>
            <h2 className={styles['title']}>Explore</h2>
            <ul className={styles['links']}>
              <li>
                <Link to="/">Home</Link>
              </li>
              <li>
                <Link {...aboutLink}>About</Link>
              </li>
              <li>
                <Link to="/contact">Contact</Link>
              </li>
              {pages.map((page) => (
                <li key={page.slug}>
                  <Link to="/pages/$slug" params={page}>
                    {page.title}
                  </Link>
                </li>
              ))}
              <li>{user ? <Link to="/customer/orders">Orders</Link> : <Link to="/login">Login</Link>}</li>
            </ul>
          </div>
          <div>
            <h2 className={styles['title']}>Contact</h2>
            <ContactWays />
          </div>
        </div>
        <div className={styles['last']}>
          {/* a page cached over New Year, or rendered in another time zone, may show another year */}
          <p suppressHydrationWarning>{`© ${year} ${name}`}</p>
          <div className={styles['saved']}>{saved && <saved.SavedNote />}</div>
        </div>
      </div>
    </footer>
  );
}
