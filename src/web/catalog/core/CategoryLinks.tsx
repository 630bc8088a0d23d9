import { categoryTitle } from '../../../shared/catalog';
import { ButtonLink } from '../../ui/ButtonLink';
import styles from './CategoryLinks.module.css';
import { useCategories } from './queries';

/** More links would bury the page; the Products menu lists all categories. */
const maxLinks = 4;

interface Props {
  /** Classes of the first link and of the others. */
  classNames?: readonly [first: string | undefined, others: string | undefined];
  /** Another button comes before them, so none of them is solid. */
  isSecondary?: boolean;
}

/** Links to the shop's categories. */
export function CategoryLinks({ classNames = [undefined, undefined], isSecondary = false }: Props) {
  const categories = useCategories();
  return categories.slice(0, maxLinks).map((category, index) => (
    <ButtonLink
      key={category.name}
      to="/products/$category"
      params={{ category: category.name }}
      size="lg"
      variant={index === 0 && !isSecondary ? 'solid' : 'outline'}
      className={`${styles['way']} ${classNames[index === 0 ? 0 : 1] ?? ''}`}
    >
      {categoryTitle(category)}
    </ButtonLink>
  ));
}
