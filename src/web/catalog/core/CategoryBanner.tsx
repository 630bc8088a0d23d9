import { categoryTitle } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { Heading } from '../../ui/Heading';
import styles from './CategoryBanner.module.css';
import fieldStyles from './categoryField.module.css';

export function CategoryBanner({ category }: { category: Pick<Schema<'Category'>, 'name' | 'title'> }) {
  return (
    <section className={`${styles['banner']} ${categoryField(category.name)}`}>
      <span className={styles['ghost']} aria-hidden="true">
        &amp;
      </span>
      <div className={`wrap ${styles['place']}`}>
        <Heading as="h1" textStyle="display" className={styles['title'] ?? ''} tabIndex={-1}>
          {categoryTitle(category)}
        </Heading>
      </div>
    </section>
  );
}

/** @returns the class with the color of a category's banner and tile: gold, crimson, and a quiet one for all others */
export function categoryField(categoryName: string): string {
  return fieldStyles[categoryName === 'savory' || categoryName === 'spices' ? categoryName : 'other'] ?? '';
}
