import { Link } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { categoryTitle } from '../../shared/catalog';
import { searchMessages } from '../../shared/search';
import { useCategories } from '../catalog/core/queries';
import chipStyles from '../ui/Chip.module.css';
import { IconButton } from '../ui/IconButton';
import { LaterIcon } from '../ui/LaterIcon';
import { clearRecent, forgetRecent, readRecent } from './recent';
import styles from './Suggestions.module.css';

interface Props {
  /** Gets the focus when a search is chosen or forgotten. */
  field: RefObject<HTMLInputElement | null>;
  onSearch: (text: string) => void;
  onLeave: () => void;
}

/** Shown before anything is typed, above the bestsellers: the last searches on this device, and the categories. */
export function Suggestions({ field, onSearch, onLeave }: Props) {
  const [recent, setRecent] = useState(readRecent);
  const categories = useCategories();
  const change = (texts: string[]) => {
    setRecent(texts);
    field.current?.focus();
  };
  return (
    <>
      {recent.length > 0 && (
        <section aria-label={searchMessages.recent} className={styles['recent']}>
          <div className={styles['head']}>
            <p className={styles['title']}>{searchMessages.recent}</p>
            <button
              type="button"
              className={styles['clear']}
              onClick={() => {
                clearRecent();
                change([]);
              }}
            >
              {searchMessages.clear}
            </button>
          </div>
          <ul>
            {recent.map((text) => (
              <li key={text} className={styles['row']}>
                <button
                  type="button"
                  className={styles['text']}
                  onClick={() => {
                    onSearch(text);
                    field.current?.focus();
                  }}
                >
                  <LaterIcon name="clock" />
                  <span>{text}</span>
                </button>
                <IconButton
                  icon="cross"
                  label={searchMessages.forget(text)}
                  onClick={() => change(forgetRecent(text))}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label={searchMessages.popular}>
        <p className={`${styles['head']} ${styles['title']}`}>{searchMessages.popular}</p>
        <div className={styles['chips']}>
          {categories.slice(0, maxCategories).map((category) => (
            <Link
              key={category.name}
              to="/products/$category"
              params={{ category: category.name }}
              className={chipStyles['chip']}
              onClick={onLeave}
            >
              {categoryTitle(category)}
            </Link>
          ))}
        </div>
      </section>
    </>
  );
}

const maxCategories = 6;
