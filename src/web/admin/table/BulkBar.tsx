import { formatCount } from '../../../shared/counts';
import { useId } from 'react';
import { ActionButton } from '../../ui/ActionButton';
import { Button } from '../../ui/Button';
import { focusHeading } from '../../ui/focusHeading';
import styles from './Toolbar.module.css';

export interface BulkAction {
  label: string;
  isDangerous?: boolean;
  /** How many rows the server takes at once. */
  most: number;
  /**
   * @param ids of all selected rows, those of other pages included
   * @param onSuccess to be called when it is done: it takes the selection away
   */
  act: (ids: string[], onSuccess: () => void) => void;
}

interface Props {
  ids: string[];
  actions: readonly BulkAction[];
  /** Selects what is on this page; with heads, that is done there. */
  onSelectPage: () => void;
  onClear: () => void;
}

/** What can be done with all selected rows at once. */
export function BulkBar({ ids, actions, onSelectPage, onClear }: Props) {
  const tooManyId = useId();
  const fewest = Math.min(...actions.map(({ most }) => most));
  const done = () => {
    onClear();
    focusHeading(); // the button that had the focus goes
  };
  return (
    <fieldset className={styles['bar']} aria-label="Selected rows">
      <output className={styles['selected']}>{formatCount(ids.length)} selected</output>
      {actions.map(({ label, isDangerous, most, act }) => (
        <ActionButton
          key={label}
          variant="outline"
          {...(isDangerous && { colorPalette: 'error', color: 'error.fg' })}
          isOff={ids.length > most}
          aria-describedby={ids.length > most ? tooManyId : undefined}
          onClick={() => act(ids, done)}
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
