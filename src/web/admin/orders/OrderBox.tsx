import type { ReactNode } from 'react';
import form from '../ui/form.module.css';
import styles from './OrderPage.module.css';

interface Props {
  id: string;
  title: string;
  /** A button beside the heading. */
  action?: ReactNode;
  children: ReactNode;
}

/** A section of an order's page, with its heading. */
export function OrderBox({ id, title, action, children }: Props) {
  return (
    <section className={styles['box']} aria-labelledby={id}>
      <header>
        <h2 id={id} className={form['heading']}>
          {title}
        </h2>
        {action}
      </header>
      {children}
    </section>
  );
}
