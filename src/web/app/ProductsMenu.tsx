import { useQuery } from '@tanstack/react-query';
import { categoriesQuery } from '../catalog/queries';
import type { MenuButtonProps } from '../ui/deferMenu';
import { NavMenu } from '../ui/NavMenu';

/** Known before the server was asked, so that the menu opens with something in it. */
const firstCategories = [{ name: 'savory' }, { name: 'spices' }];

/** All categories; one that staff made later has its place here too. Source: decisions §4 */
export function ProductsMenu(button: MenuButtonProps) {
  const { data: categories = firstCategories } = useQuery(categoriesQuery);
  const entries = categories.map(({ name }) => ({ label: name, icon: 'jar', to: `/products/${name}` }) as const);
  return <NavMenu title="Products" entries={entries} {...button} />;
}
