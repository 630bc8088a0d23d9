import { importLimits } from '../../../shared/imports';
import { importFieldLabel, importPageMessages as messages } from '../../../shared/importsStaff';
import box from '../ui/box.module.css';
import styles from './imports.module.css';
import type { Import } from './queries';

/** What an Undo left as it is. */
export function KeptBox({ kept }: { kept: Import['kept'] }) {
  return (
    <section className={box['box']} aria-labelledby="import-kept">
      <header>
        <h2 id="import-kept">Not undone</h2>
      </header>
      <p className={styles['note']}>
        {messages.kept} {kept.length >= importLimits.problems && messages.firstProblems}
      </p>
      <ul className={styles['kept']}>
        {kept.map(({ line, name, column, message }) => (
          <li key={`${line} ${column}`}>
            <b>{name}</b>, {importFieldLabel(column)}: {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
