import { Link } from '@tanstack/react-router';
import { categoryTitle } from '../../shared/catalog';
import { categoryField } from '../catalog/core/CategoryBanner';
import { useCategories } from '../catalog/core/queries';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import { Picture } from '../ui/Picture';
import styles from './CategoryTiles.module.css';

/** A tile for each category: its color, its title, and a picture of one of its products. */
export function CategoryTiles() {
  const categories = useCategories();
  if (categories.length === 0) return null;
  return (
    <section className={`wrap ${styles['tiles']}`} aria-label="Categories">
      {categories.map(({ name, title, picture }) => (
        <Link
          key={name}
          to="/products/$category"
          params={{ category: name }}
          className={`${styles['tile']} ${categoryField(name)}`}
        >
          <div className={styles['text']}>
            <Heading as="h2" textStyle="h1">
              {categoryTitle({ name, title })}
            </Heading>
            <span className={styles['go']}>
              Products <Icon name="right" />
            </span>
          </div>
          <div className={styles['picture']}>
            {picture && <Picture picture={picture} sizes="(min-width: 768px) 270px, 41vw" isDecoration />}
          </div>
        </Link>
      ))}
    </section>
  );
}
