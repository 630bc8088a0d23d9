import styles from './SkeletonRows.module.css';

interface Props {
  rows?: number;
  /** Each row starts with an 80 px picture. */
  hasPictures?: boolean;
}

/** Placeholder rows of a loading list: a picture, a name with a line below, a number. */
export function SkeletonRows({ rows = 3, hasPictures = false }: Props) {
  return (
    <ul aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <li key={row} className={styles['row']}>
          {hasPictures && <span className={`skeleton ${styles['picture']}`} />}
          <span className={styles['words']}>
            <span className={`skeleton ${styles['name']}`} />
            <span className={`skeleton ${styles['more']}`} />
          </span>
          <span className={`skeleton ${styles['figure']}`} />
        </li>
      ))}
    </ul>
  );
}
