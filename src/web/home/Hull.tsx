import styles from './Hull.module.css';

/** The painted gunwale of a Gambian fishing boat: three bands that rise to the bow, with the ground between them. */
export function Hull() {
  return (
    <svg className={styles['hull']} viewBox="0 0 1440 150" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles['crimson']} d={edge(-22)} />
      <path className={styles['ground']} d={edge(-2)} />
      <path className={styles['gold']} d={edge(3)} />
      <path className={styles['ground']} d={edge(14)} />
      <path className={styles['indigo']} d={edge(19)} />
      <path className={styles['ground']} d={edge(23)} />
    </svg>
  );
}

/** Everything below one painted edge. */
const edge = (y: number) => `M0 ${64 + y} C 400 ${118 + y} 940 ${126 + y} 1440 ${24 + y} V170 H0 Z`;
