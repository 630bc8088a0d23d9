/** The menus of lists, in one chunk. */
export { ListMenu } from './ListMenu';
export { RowMenu } from './RowMenu';
