import { Heading } from '@chakra-ui/react/heading';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { bannerTitle } from '../catalog/CategoryBanner';
import { categoryField } from '../catalog/categoryField';
import { categoriesQuery } from '../catalog/queries';
import { Icon } from '../ui/Icon';
import { Picture } from '../ui/Picture';
import styles from './CategoryTiles.module.css';

type Tile = Pick<Schema<'Category'>, 'name' | 'title' | 'picture'>;

/** Drawn before the server has answered, and when it does not: the two categories that are always there. */
const firstTiles: Tile[] = [
  { name: 'savory', title: null },
  { name: 'spices', title: null },
];

/** A tile for each category: its colour, its title, and a picture out of it. */
export function CategoryTiles() {
  const { data: tiles = firstTiles } = useQuery(categoriesQuery);
  return (
    <section className={`wrap ${styles['tiles']}`} aria-label="Categories">
      {tiles.map(({ name, title, picture }) => (
        <Link
          key={name}
          to="/products/$category"
          params={{ category: name }}
          className={`${styles['tile']} ${categoryField(name)}`}
        >
          <div className={styles['text']}>
            <Heading as="h2" textStyle="h1" className="first-cap">
              {bannerTitle(name, title)}
            </Heading>
            <span className={styles['go']}>
              Products <Icon name="right" />
            </span>
          </div>
          <div className={styles['picture']}>
            {picture && <Picture picture={picture} sizes="(min-width: 768px) 270px, 44vw" isDecoration />}
          </div>
        </Link>
      ))}
    </section>
  );
}
