import { formatCount } from '../../../shared/counts';
import { useId } from 'react';
import { ActionButton } from '../../ui/ActionButton';
import { Button } from '../../ui/Button';
import { focusHeading } from '../../ui/focusHeading';
import styles from './Toolbar.module.css';

export interface BulkAction {
  label: string;
  isDangerous?: boolean;
  /** How many rows the server accepts in one go. */
  maxRows: number;
  /**
   * @param ids all selected rows, including those of other pages
   * @param onSuccess call it when done; it clears the selection
   */
  act: (ids: string[], onSuccess: () => void) => void;
}

interface Props {
  ids: string[];
  actions: readonly BulkAction[];
  /** Selects the rows of this page; where the table has a head, the head's checkbox does that. */
  onSelectPage: () => void;
  onClear: () => void;
}

/** The actions on all selected rows. */
export function BulkBar({ ids, actions, onSelectPage, onClear }: Props) {
  const tooManyId = useId();
  const limit = Math.min(...actions.map(({ maxRows }) => maxRows));
  const done = () => {
    onClear();
    focusHeading(); // the focused button will be removed
  };
  return (
    <fieldset className={styles['bar']} aria-label="Selected rows">
      <output className={styles['selected']}>{formatCount(ids.length)} selected</output>
      {actions.map(({ label, isDangerous, maxRows, act }) => (
        <ActionButton
          key={label}
          variant="outline"
          {...(isDangerous && { colorPalette: 'error', color: 'error.fg' })}
          isOff={ids.length > maxRows}
          aria-describedby={ids.length > maxRows ? tooManyId : undefined}
          onClick={() => act(ids, done)}
        >
          {label}
        </ActionButton>
      ))}
      {ids.length > limit && <span id={tooManyId}>{`Select up to ${limit} at a time`}</span>}
      <Button variant="ghost" className={styles['phone'] ?? ''} onClick={onSelectPage}>
        Select this page
      </Button>
      <Button variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </fieldset>
  );
}
