import { useState } from 'react';
import { formatCount } from '../../../shared/counts';
import { importSources } from '../../../shared/imports';
import { importPageMessages as messages, missingInWords } from '../../../shared/importsStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { ButtonLink } from '../../ui/ButtonLink';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import { ColumnRow } from './ColumnRow';
import { FileChoice } from './FileChoice';
import styles from './imports.module.css';
import type { Import, Upload, useStartImport } from './queries';
import { stepHeadingId, Steps } from './Steps';
import { UploadState } from './UploadState';

interface Props {
  data: Import;
  /** The file, unless the page was reloaded since. */
  file: File | undefined;
  upload: ReturnType<typeof useStartImport>;
  onSend: (next: Upload) => void;
}

/** The second step: what each column of the file is. */
export function MatchStep({ data: { id, state, columns, source, fileName }, file, upload, onSend }: Props) {
  const [mapping, setMapping] = useState<Readonly<Record<string, string>>>({});
  const chosen = columns.map(({ name, field }) => mapping[name] ?? field ?? '');
  const isTwice = (field: string) => field !== '' && chosen.filter((each) => each === field).length > 1;
  const missing = missingInWords(chosen);
  return (
    <>
      <Steps now="Match columns" />
      <section className={box['box']} aria-labelledby={stepHeadingId}>
        <header>
          <h2 id={stepHeadingId} tabIndex={-1} className={styles['heading']}>
            Columns
          </h2>
          <output className="muted tabular">
            {`${formatCount(chosen.filter(Boolean).length)} of ${formatCount(columns.length)} matched`}
          </output>
        </header>
        <p className={styles['note']}>
          <b>{importSources[source]}.</b> {fileName && `${fileName}.`} {state === 'mapping' && messages.mustMatch}
        </p>
        <table className={`${box['table']} ${styles['table']}`}>
          <caption className="sr-only">Columns</caption>
          <thead>
            <tr>
              <th scope="col">In your file</th>
              <th scope="col">First value</th>
              <th scope="col">Goes to</th>
              <th scope="col">
                <span className="sr-only">Result</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column, index) => (
              <ColumnRow
                key={`${index} ${column.name}`}
                column={column}
                field={chosen[index] ?? ''}
                isTwice={isTwice(chosen[index] ?? '')}
                onChoose={(field) => setMapping({ ...mapping, [column.name]: field })}
              />
            ))}
          </tbody>
        </table>
        {missing && <p className={styles['note']}>{missing}</p>}
      </section>
      {file ? (
        <>
          <UploadState upload={upload} />
          <div className={styles['actions']}>
            <OnlineButton
              what="import products"
              isBusy={upload.isPending}
              isOff={chosen.some(isTwice)}
              onClick={() => onSend({ file, mapping })}
            >
              Review rows
            </OnlineButton>
            <ButtonLink to="." search={state === 'mapping' ? {} : { import: id }} variant="ghost">
              Back
            </ButtonLink>
          </div>
        </>
      ) : (
        <section className={form['box']} aria-label={messages.dropAgain}>
          <p>{messages.chooseAgain}</p>
          <FileChoice
            title={messages.dropAgain}
            upload={upload}
            onChoose={(again) => onSend({ file: again, mapping })}
          />
        </section>
      )}
    </>
  );
}
