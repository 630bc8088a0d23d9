import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon';
import styles from './StateRow.module.css';

interface Props {
  isRight: boolean;
  title: string;
  /** The state in a word for screen readers, if no other part of the row says it. */
  state?: string;
  children: ReactNode;
  /** At the end of the row, on a phone below the text: buttons, a badge. */
  end?: ReactNode;
}

/** A row of a list of what is right and what is not: a check mark or a warning, a title, and what is so. */
export function StateRow({ isRight, title, state, children, end }: Props) {
  return (
    <li className={styles['row']}>
      <span className={`${styles['mark']} ${isRight ? styles['right'] : styles['open']}`}>
        <Icon name={isRight ? 'check' : 'alert'} />
      </span>
      <h3>
        {title}
        {state !== undefined && <span className="sr-only">: {state}</span>}
      </h3>
      <div className={styles['content']}>{children}</div>
      {end && <div className={styles['end']}>{end}</div>}
    </li>
  );
}
