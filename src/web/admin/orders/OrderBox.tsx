import type { ReactNode } from 'react';
import form from '../ui/form.module.css';
import styles from './OrderPage.module.css';

/** A section of an order's page, with its heading. */
export function OrderBox({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles['box']} aria-labelledby={id}>
      <header>
        <h2 id={id} className={form['heading']}>
          {title}
        </h2>
      </header>
      {children}
    </section>
  );
}
