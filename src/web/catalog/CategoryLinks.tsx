import { categoryTitle } from '../../shared/catalog';
import { ButtonLink } from '../ui/ButtonLink';
import styles from './CategoryLinks.module.css';
import { useCategories } from './queries';

/** More than these would bury the page; the Products menu has them all. */
const atMost = 4;

interface Props {
  /** The looks of the first link, and of those after it. */
  classNames?: readonly [first: string | undefined, others: string | undefined];
}

/** The way on, into the shop's categories. */
export function CategoryLinks({ classNames = [undefined, undefined] }: Props) {
  const categories = useCategories();
  return categories.slice(0, atMost).map((category, index) => (
    <ButtonLink
      key={category.name}
      to="/products/$category"
      params={{ category: category.name }}
      size="lg"
      variant={index === 0 ? 'solid' : 'outline'}
      className={`${styles['way']} ${classNames[index === 0 ? 0 : 1] ?? ''}`}
    >
      {categoryTitle(category)}
    </ButtonLink>
  ));
}
