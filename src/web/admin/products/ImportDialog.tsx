import { useRef, useState } from 'react';
import { catalogStaffSays, importSays, productSays } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import type { KeyHeader } from '../../server/keys';
import { ActionButton } from '../../ui/ActionButton';
import { Modal, ModalActions } from '../../ui/Modal';
import { useStaffChange, multipart } from '../staffCalls';
import { AdminIcon } from '../ui/AdminIcon';
import { timeOf } from '../ui/when';
import styles from './ImportDialog.module.css';
import { countsId, ImportRows } from './ImportRows';

interface Sent {
  file: File;
  apply: boolean;
  /** It was imported before, and the person at the screen wants it all the same. */
  again?: boolean;
}

/** Products from a CSV file: first what each row would do, then all rows or none. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [result, setResult] = useState<Schema<'ProductImportResult'>>();
  const send = ({ file: csv, apply, again = false }: Sent, { header }: KeyHeader) =>
    answer(
      api.POST('/admin/products/import', {
        params: { header },
        ...multipart<Schema<'ProductImport'>>({ file: csv, apply, ...(again && { again }) }),
      }),
    );
  const dryRun = useStaffChange({
    send,
    onSuccess: ({ productImport }) => setResult(productImport),
    meta: { failure: catalogStaffSays.importProducts.failure },
  });
  const applying = useStaffChange({ send, onSuccess: onClose, meta: catalogStaffSays.importProducts });
  const choose = (next: File | undefined) => {
    if (!next) return;
    setFile(next);
    setResult(undefined);
    dryRun.mutate({ file: next, apply: false });
  };
  /** Refused, it shows what the rows would do by now: a product was changed since they were shown. */
  const apply = (shown: File) =>
    applying.mutate(
      { file: shown, apply: true, again: result?.importedAt !== undefined },
      { onError: (error) => error instanceof ApiError && error.code === 'import_refused' && choose(shown) },
    );
  const changes = result ? result.created + result.changed : 0;
  return (
    <Modal title="Import CSV" onClose={onClose}>
      <p className={styles['text']}>{productSays.importExplained}</p>
      <input
        ref={chooser}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="CSV file"
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
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
      {result?.importedAt && (
        <p role="alert" className={styles['mistake']}>
          {importSays.importedBefore(timeOf(result.importedAt))}
        </p>
      )}
      {result && <ImportRows result={result} />}
      <ModalActions onClose={onClose}>
        <ActionButton
          isBusy={applying.isPending}
          aria-describedby={result && countsId}
          isOff={!file || changes === 0 || (result?.refused ?? 0) > 0}
          onClick={() => file && apply(file)}
        >
          {result?.importedAt
            ? 'Import again'
            : changes === 0
              ? 'Import'
              : `Import ${changes} ${changes === 1 ? 'row' : 'rows'}`}
        </ActionButton>
      </ModalActions>
    </Modal>
  );
}
