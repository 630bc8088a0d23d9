import type { ComponentProps, ReactNode } from 'react';
import { maxQuery } from '../../shared/catalog';
import { searchMessages } from '../../shared/search';
import { Icon } from '../ui/Icon';
import styles from './SearchField.module.css';

/** The search field, in the panel and on the search page. @param props.children a button at its right */
export function SearchField({ children, ...input }: ComponentProps<'input'> & { children?: ReactNode }) {
  return (
    <div className={styles['box']}>
      <Icon name="search" />
      <input
        type="search"
        name="q"
        aria-label={searchMessages.field}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={maxQuery}
        {...input}
      />
      {children}
    </div>
  );
}
