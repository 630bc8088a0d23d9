import { deferMenu } from '../../ui/deferMenu';
import type { ListMenuProps } from './ListMenu';

/** The menu of a list, on its card and its page. */
export const ListMenu = deferMenu<ListMenuProps>(async () => (await import('./ListMenu')).ListMenu);
