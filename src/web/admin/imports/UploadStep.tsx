import { importPageMessages as messages, importPlaces } from '../../../shared/importsStaff';
import { Icon } from '../../ui/Icon';
import form from '../ui/form.module.css';
import { FileChoice } from './FileChoice';
import styles from './imports.module.css';
import type { useStartImport } from './queries';
import { RecentImports } from './RecentImports';
import { Steps } from './Steps';

interface Props {
  upload: ReturnType<typeof useStartImport>;
  onChoose: (file: File) => void;
}

/** The first step: the file, and where the export of each shop system is found. */
export function UploadStep({ upload, onChoose }: Props) {
  return (
    <>
      <Steps now="Upload" />
      <div className={form['box']}>
        <FileChoice title={messages.drop} upload={upload} onChoose={onChoose} />
      </div>
      <ul className={styles['sources']}>
        {importPlaces.map(({ name, steps }) => (
          <li key={name} className={form['box']}>
            <h2 className={form['heading']}>
              <Icon name="check" />
              {name}
            </h2>
            <p className="muted">{steps}</p>
          </li>
        ))}
      </ul>
      <p className="muted">{messages.anyFile}</p>
      <RecentImports />
    </>
  );
}
