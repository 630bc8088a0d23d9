import { Heading } from '../ui/Heading';
import styles from './CategoryBanner.module.css';
import { categoryField } from './categoryField';

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
