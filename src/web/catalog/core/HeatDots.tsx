import styles from './HeatDots.module.css';

/** Five dots; the filled ones show how hot the product is. */
export function HeatDots({ level }: { level: number }) {
  return (
    <span className={styles['heat']}>
      <span className="sr-only">Heat {level} of 5</span>
      {[1, 2, 3, 4, 5].map((dot) => (
        <i key={dot} aria-hidden="true" className={dot <= level ? styles['on'] : undefined} />
      ))}
    </span>
  );
}
