import { heatWords } from '../../../shared/productFilters';
import styles from './HeatDots.module.css';

/** How hot a product is: dots and the word that the filters use. */
export function Heat({ level }: { level: number }) {
  return (
    <span className={styles['words']}>
      <HeatDots level={level} />
      <span>
        {heatWords[level]}
        <span className="sr-only">, {level} of 5</span>
      </span>
    </span>
  );
}

/** Five dots, some of them filled, beside the word for them. */
export function HeatDots({ level }: { level: number }) {
  return (
    <span className={styles['heat']} aria-hidden="true">
      {[1, 2, 3, 4, 5].map((dot) => (
        <i key={dot} className={dot <= level ? styles['on'] : undefined} />
      ))}
    </span>
  );
}
