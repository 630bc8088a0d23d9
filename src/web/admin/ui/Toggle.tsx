import styles from './Toggle.module.css';

interface Props {
  /** Named in full: 'Standard is offered'. */
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** It cannot be switched now, and keeps the focus. */
  isOff?: boolean;
}

/** Yes or no, drawn as a track with a knob; the shape differs as well as the colour. */
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
