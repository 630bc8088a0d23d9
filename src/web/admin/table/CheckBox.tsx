import { useEffect, useRef } from 'react';
import styles from './CheckBox.module.css';

interface Props {
  label: string;
  isChecked: boolean;
  isMixed?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A box to tick, whose words are for those who do not see what it stands beside. */
export function CheckBox({ label, isChecked, isMixed = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed && !isChecked;
  }, [isMixed, isChecked]);
  return (
    <label className={styles['place']}>
      <input
        ref={box}
        type="checkbox"
        className={styles['box']}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="sr-only">{label}</span>
    </label>
  );
}
