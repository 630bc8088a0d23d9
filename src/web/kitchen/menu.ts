import { deferMenu } from '../ui/deferMenu';
import type { ListMenuProps } from './ListMenu';

/** Of a list's card and of its sheet. */
export const ListMenu = deferMenu<ListMenuProps>(async () => (await import('./ListMenu')).ListMenu);
