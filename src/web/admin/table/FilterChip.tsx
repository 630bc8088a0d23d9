import { useRef } from 'react';
import { deferMenu } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import styles from './Toolbar.module.css';

const ActionMenu = deferMenu(async () => (await import('./ActionMenu')).ActionMenu);

export interface Filter {
  /** Its key in the address. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

interface Props {
  filter: Filter;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** One filter: a menu of its values, or the value that is set, which a press takes away. */
export function FilterChip({ filter: { label, options }, value, onChange }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const change = (next: string | undefined) => {
    onChange(next);
    // the button that was pressed has gone, and another stands in its place
    setTimeout(() => place.current?.querySelector('button')?.focus(), 50);
  };
  return (
    <span ref={place}>
      {value === undefined ? (
        <ActionMenu
          title={label}
          end="start"
          className={styles['chip']}
          choice={{
            heading: label,
            chosen: undefined,
            options,
            onChoose: (chosen) => change(options.find((option) => option.label === chosen)?.value),
          }}
        >
          {label} <Icon name="chevronDown" size={16} />
        </ActionMenu>
      ) : (
        <button
          type="button"
          className={`${styles['chip']} ${styles['on']}`}
          aria-label={`${label}: ${options.find((option) => option.value === value)?.label ?? value}, remove filter`}
          onClick={() => change(undefined)}
        >
          {label}: {options.find((option) => option.value === value)?.label ?? value} <Icon name="cross" size={16} />
        </button>
      )}
    </span>
  );
}
