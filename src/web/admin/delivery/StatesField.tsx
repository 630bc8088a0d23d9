import { useId, useState } from 'react';
import { stateName, statesOf } from '../../../shared/usStates';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { useShopFacts } from '../../ui/shopFacts';
import bar from '../table/Toolbar.module.css';
import styles from './delivery.module.css';

interface Props {
  /** null: all */
  states: readonly string[] | null;
  /** The saved ones: they stay in the list when the shop stops shipping there. */
  saved: readonly string[];
  error: string | undefined;
  onChange: (states: string[] | null) => void;
}

/** The states that a method serves, out of those of the shop: one group, in a box that scrolls. */
export function StatesField({ states, saved, error, onChange }: Props) {
  const all = statesOf(useShopFacts(), saved);
  const [wanted, setWanted] = useState('');
  const legendId = useId();
  const errorId = useId();
  const chosen = new Set(states ?? all);
  const toggle = (code: string) => {
    const next = all.filter((each) => (each === code ? !chosen.has(each) : chosen.has(each)));
    onChange(next.length === all.length ? null : next);
  };
  const text = wanted.trim().toLowerCase();
  const shown = all.filter((code) => code.toLowerCase() === text || stateName(code).toLowerCase().includes(text));
  return (
    <fieldset className={styles['statesField']} aria-labelledby={legendId} aria-describedby={error && errorId}>
      <div className={styles['statesTop']}>
        <span id={legendId}>
          States <span className="muted">{states === null ? 'all' : `${chosen.size} selected`}</span>
        </span>
        <span>
          <Button variant="ghost" onClick={() => onChange(null)} aria-label="Select all states">
            All
          </Button>
          <Button variant="ghost" onClick={() => onChange([])} aria-label="Select none of the states">
            None
          </Button>
        </span>
      </div>
      <div className={`${bar['search']} ${styles['find']}`}>
        <Icon name="search" />
        <input
          type="search"
          aria-label="Find a state"
          placeholder="Find a state"
          maxLength={40}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </div>
      <div className={styles['stateList']}>
        {shown.map((code) => (
          <label key={code}>
            <input type="checkbox" checked={chosen.has(code)} onChange={() => toggle(code)} />
            <span>{stateName(code)}</span>
          </label>
        ))}
        {shown.length === 0 && <p className="muted">No states found.</p>}
      </div>
      {error && (
        <p id={errorId} className={styles['error']}>
          <Icon name="alert" size={16} />
          {error}
        </p>
      )}
    </fieldset>
  );
}
