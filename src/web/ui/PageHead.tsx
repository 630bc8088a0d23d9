import type { ReactNode } from 'react';
import { Heading } from './Heading';
import styles from './PageHead.module.css';

/** A page's title, with space for one action on the right. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles['head']}>
      <Heading as="h1" textStyle="h1" tabIndex={-1}>
        {title}
      </Heading>
      {children}
    </div>
  );
}
