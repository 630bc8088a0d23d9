import { Button } from '../../ui/Button';
import { useId } from 'react';
import { ActionButton } from '../../ui/ActionButton';
import styles from './Toolbar.module.css';

export interface BulkAction<Row> {
  label: string;
  isDangerous?: boolean;
  /** How many rows the server takes at once. */
  most?: number;
  /**
   * @param ids of all selected rows, those of other pages included
   * @param rows those of them that are on this page
   * @param clear takes the selection away
   */
  act: (ids: string[], rows: Row[], clear: () => void) => void;
}

interface Props<Row> {
  ids: string[];
  rows: Row[];
  actions: readonly BulkAction<Row>[];
  /** Selects what is on this page; with heads, that is done there. */
  onSelectPage: () => void;
  onClear: () => void;
}

/** What can be done with all selected rows at once. */
export function BulkBar<Row>({ ids, rows, actions, onSelectPage, onClear }: Props<Row>) {
  const tooManyId = useId();
  const fewest = Math.min(...actions.map(({ most = Infinity }) => most));
  return (
    <fieldset className={styles['bar']} aria-label="Selected rows">
      <output className={styles['selected']}>{ids.length} selected</output>
      {actions.map(({ label, isDangerous, most = Infinity, act }) => (
        <ActionButton
          key={label}
          variant="outline"
          {...(isDangerous && { colorPalette: 'error', color: 'error.fg' })}
          isOff={ids.length > most}
          aria-describedby={ids.length > most ? tooManyId : undefined}
          onClick={() => act(ids, rows, onClear)}
        >
          {label}
        </ActionButton>
      ))}
      {ids.length > fewest && <span id={tooManyId}>{`Please select at most ${fewest}`}</span>}
      <Button variant="ghost" className={styles['phone'] ?? ''} onClick={onSelectPage}>
        Select page
      </Button>
      <Button variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </fieldset>
  );
}
