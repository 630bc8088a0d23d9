import { deferMenu } from '../../ui/deferMenu';
import type { ListMenuProps } from './ListMenu';
import type { RowMenuProps } from './RowMenu';

/** The menu of a list, on its card and its page. */
export const ListMenu = deferMenu<ListMenuProps>(async () => (await import('./menus')).ListMenu);

/** The menu of one product of a list. */
export const RowMenu = deferMenu<RowMenuProps>(async () => (await import('./menus')).RowMenu);
