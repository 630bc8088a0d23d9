import styles from './audit.module.css';

type Facts = Record<string, unknown> | null;

/** What changed from what to what, field by field. */
export function Changes({ before, after }: { before: Facts; after: Facts }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  return (
    <ul className={styles['changes']}>
      {names.map((name) => (
        <li key={name}>
          <span>{name}:</span> {before && name in before && `${inWords(before[name])} → `}
          {after && name in after ? inWords(after[name]) : 'none'}
        </li>
      ))}
    </ul>
  );
}

const maxLength = 120;

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
