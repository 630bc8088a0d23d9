import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../ui/Icon';
import styles from './Footer.module.css';

export function Footer() {
  const [year] = useState(() => new Date().getFullYear());
  return (
    <footer className={styles['foot']}>
      <div className="wrap">
        <div className={styles['columns']}>
          <p className={styles['name']}>
            Savory, Seasoning{' '}
            <span className={styles['together']}>
              <b>&amp;</b> Spices
            </span>
          </p>
          <div>
            <h2 className={styles['title']}>Links</h2>
            <ul className={styles['links']}>
              <li>
                <Link to="/">Home</Link>
              </li>
              <li>
                <Link to="/" hash="about">
                  About
                </Link>
              </li>
              <li>
                <Link to="/contact">Contact</Link>
              </li>
              <li>
                <Link to="/login">Login</Link>
              </li>
            </ul>
          </div>
          <div>
            <h2 className={styles['title']}>Contact</h2>
            <ul>
              <li>
                <a href="mailto:hello@example.com">
                  <Icon name="mail" /> hello@example.com
                </a>
              </li>
              <li>
                <a href="tel:+15550100142">
                  <Icon name="phone" /> (555) 010-0142
                </a>
              </li>
            </ul>
          </div>
        </div>
        {/* a page that the server kept over New Year, or drew in another time zone, may say another year */}
        <p className={styles['copy']} suppressHydrationWarning>
          © {year} Savory, Seasoning &amp; Spices
        </p>
      </div>
    </footer>
  );
}
