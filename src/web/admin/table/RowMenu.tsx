import { deferMenu } from '../../ui/deferMenu';
import type { ActionChoice, ActionEntry } from '../ui/ActionMenu';
import { AdminIcon } from '../ui/AdminIcon';
import styles from './DataTable.module.css';

const ActionMenu = deferMenu(async () => (await import('../ui/ActionMenu')).ActionMenu);

interface Props {
  /** The row's name: a product's name, an order's number. */
  of: string;
  choice?: ActionChoice | undefined;
  entries: readonly ActionEntry[];
}

/** The actions on one row. */
export function RowMenu({ of, choice, entries }: Props) {
  return (
    <ActionMenu title={`More actions for ${of}`} choice={choice} entries={entries} className={styles['dots']}>
      <AdminIcon name="dots" />
      <span className="sr-only">More actions for {of}</span>
    </ActionMenu>
  );
}
