import { useRef, useState } from 'react';
import { catalogStaffMessages, importMessages, productMessages } from '../../../shared/catalogStaff';
import { countOf } from '../../../shared/counts';
import { CsvError } from '../../../shared/csvText';
import { ApiError } from '../../server/errors';
import { ActionButton } from '../../ui/ActionButton';
import { Modal, ModalActions } from '../../ui/Modal';
import { useStaffChange } from '../staffCalls';
import { AdminIcon } from '../ui/AdminIcon';
import { timeOf } from '../ui/dates';
import styles from './ImportDialog.module.css';
import { type ImportPart, readParts } from './importParts';
import { countsId, ImportRows } from './ImportRows';
import { type Preview, rowsBefore, sendParts, stoppedAt, previewParts } from './sendImport';

interface Sent {
  file: File;
  parts: readonly ImportPart[];
}
interface Applied extends Sent {
  preview: Preview;
  /** The first part that is not imported yet. */
  from: number;
}

/** Imports products from a CSV file of any size: previews what each row would do, then imports it part by part. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const { problem, progress, shown, dryRun, applying, choose, apply } = useImport(onClose);
  const result = shown?.preview;
  const changes = result ? result.created + result.changed : 0;
  return (
    <Modal title="Import CSV" onClose={onClose}>
      <p className={styles['text']}>{productMessages.importExplained}</p>
      <input
        ref={chooser}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="CSV file"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen) void choose(chosen);
          if (chosen) setFile(chosen);
          event.currentTarget.value = '';
        }}
      />
      <div className={styles['file']}>
        <ActionButton
          variant="outline"
          isBusy={dryRun.isPending || applying.isPending}
          onClick={() => chooser.current?.click()}
        >
          <AdminIcon name="upload" />
          {file ? 'Choose another file' : 'Choose file'}
        </ActionButton>
        {file && <span>{file.name}</span>}
      </div>
      {problem && (
        <p role="alert" className={styles['mistake']}>
          {problem}
        </p>
      )}
      {progress && <output>{progress}</output>}
      {result?.skipped && <p className={styles['text']}>{importMessages.alreadyIn(result.skipped)}</p>}
      {result?.importedAt && (
        <p role="alert" className={styles['mistake']}>
          {importMessages.importedBefore(timeOf(result.importedAt))}
        </p>
      )}
      {result && <ImportRows result={result} />}
      <ModalActions onClose={onClose}>
        <ActionButton
          isBusy={applying.isPending}
          aria-describedby={result && countsId}
          isOff={changes === 0 || (result?.refused ?? 0) > 0}
          onClick={apply}
        >
          {result?.importedAt ? 'Import again' : changes === 0 ? 'Import' : `Import ${countOf(changes, 'row')}`}
        </ActionButton>
      </ModalActions>
    </Modal>
  );
}

function useImport(onDone: () => void) {
  const [problem, setProblem] = useState('');
  const [progress, setProgress] = useState('');
  const [shown, setShown] = useState<Applied>();
  const done = useRef(0);
  const dryRun = useStaffChange({
    send: ({ parts }: Sent, keys) =>
      previewParts(
        parts,
        keys,
        (_, rows) => parts.length > 1 && setProgress(importMessages.checked(rows, rowsBefore(parts, parts.length))),
      ),
    onSuccess: (preview, sent) => setShown({ ...sent, preview, from: 0 }),
    meta: { failure: catalogStaffMessages.importProducts.failure },
  });
  const applying = useStaffChange({
    send: ({ parts, preview, from }: Applied, keys) =>
      sendParts(
        parts,
        { isToDo: preview.isToDo, from, again: preview.importedAt !== undefined },
        keys,
        (count, rows) => {
          done.current = count;
          if (parts.length > 1) setProgress(importMessages.imported(rows, rowsBefore(parts, parts.length)));
        },
      ),
    onSuccess: onDone,
    meta: catalogStaffMessages.importProducts,
  });
  const showPreview = async (file: File) => {
    done.current = 0;
    setShown(undefined);
    try {
      const parts = await readParts(file);
      dryRun.mutate({ file, parts }, { onSettled: () => setProgress('') });
    } catch (error) {
      setProblem(error instanceof CsvError ? error.message : catalogStaffMessages.importProducts.failure);
    }
  };
  const choose = (file: File) => {
    setProblem('');
    return showPreview(file);
  };
  /** If the import was rejected because a product has changed since the preview, shows a new preview. */
  const failed = (error: unknown, sent: Applied) => {
    setProgress('');
    if (done.current > 0) setProblem(stoppedAt(sent.parts, done.current, error));
    if (error instanceof ApiError && error.code === 'import_refused') void showPreview(sent.file);
    else setShown({ ...sent, from: done.current });
  };
  const apply = () => {
    if (!shown) return;
    setProblem('');
    applying.mutate(shown, { onError: (error) => failed(error, shown) });
  };
  return { problem, progress, shown, dryRun, applying, choose, apply };
}
