import { Heading } from '../ui/Heading';
import styles from './CategoryBanner.module.css';
import fieldStyles from './categoryField.module.css';

/** The titles of the first two categories, known before the server was asked. */
const titles: Record<string, string> = { savory: 'Savory & Seasoning', spices: 'Spices' };

/** @returns what stands over a category's products: its own title, else its name */
export function bannerTitle(categoryName: string, title: string | null | undefined): string {
  return title ?? titles[categoryName] ?? categoryName;
}

export function CategoryBanner({ categoryName, title }: { categoryName: string; title: string | null | undefined }) {
  return (
    <section className={`${styles['banner']} ${categoryField(categoryName)}`}>
      <span className={styles['ghost']} aria-hidden="true">
        &amp;
      </span>
      <div className={`wrap ${styles['place']}`}>
        <Heading as="h1" textStyle="display" className={`first-cap ${styles['title']}`} tabIndex={-1}>
          {bannerTitle(categoryName, title)}
        </Heading>
      </div>
    </section>
  );
}

/** @returns the class with the colour of a category's banner and tile: gold, crimson, and a quiet one for all later */
export function categoryField(categoryName: string): string {
  return fieldStyles[categoryName === 'savory' || categoryName === 'spices' ? categoryName : 'other'] ?? '';
}
