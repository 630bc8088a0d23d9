import styles from './Toggle.module.css';

interface Props {
  /** The full name: 'Standard is offered'. */
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** Currently disabled, but focusable. */
  isOff?: boolean;
}

/** A switch with a knob; shape and color both show its state. */
export function Toggle({ label, isOn, onChange, isOff = false }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isOff || undefined}
      className={styles['toggle']}
      onClick={() => isOff || onChange(!isOn)}
    >
      <i />
    </button>
  );
}
