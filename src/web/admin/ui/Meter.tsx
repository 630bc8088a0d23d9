import { useId } from 'react';
import styles from './Meter.module.css';

interface Props {
  /** What is counted: 'Importing rows'. */
  label: string;
  /** Without these two, the end is unknown. */
  done?: number;
  of?: number;
  /** '140 of 388' */
  text?: string;
  /** As wide as its box, with larger words. */
  isLarge?: true;
}

/** A progress bar below its words: 'Fetching photos', '140 of 388'. */
export function Meter({ label, done, of = 1, text, isLarge }: Props) {
  const id = useId();
  return (
    <div className={`${styles['meter']} ${isLarge ? styles['large'] : ''}`}>
      <p>
        <span id={id}>{label}</span>
        {text !== undefined && <span className="tabular muted">{text}</span>}
      </p>
      <progress
        className={styles['bar']}
        aria-labelledby={id}
        {...(done !== undefined && { value: done, max: Math.max(of, 1) })}
        {...(text !== undefined && { 'aria-valuetext': text })}
      />
    </div>
  );
}
