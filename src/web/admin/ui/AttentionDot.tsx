import styles from './AttentionDot.module.css';

/** At the end of a link: what it leads to needs attention. */
export const AttentionDot = () => (
  <i className={styles['dot']}>
    <span className="sr-only">, needs attention</span>
  </i>
);
