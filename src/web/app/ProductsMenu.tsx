import { categoryTitle } from '../../shared/catalog';
import { useCategories } from '../catalog/core/queries';
import type { MenuButtonProps } from '../ui/deferMenu';
import { NavMenu } from '../ui/NavMenu';

/** Lists all categories, including those that staff added later. Rule: docs/rules/catalog.md, Categories */
export function ProductsMenu(button: MenuButtonProps) {
  const entries = useCategories().map((category) => {
    return { label: categoryTitle(category), icon: 'jar', to: `/products/${category.name}` } as const;
  });
  return <NavMenu title="Products" entries={entries} {...button} />;
}
