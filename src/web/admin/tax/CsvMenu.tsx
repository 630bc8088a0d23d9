import { useMutation } from '@tanstack/react-query';
import { Suspense, useRef } from 'react';
import { adminMessages } from '../../../shared/admin';
import { ApiError } from '../../server/errors';
import chipStyles from '../../ui/Chip.module.css';
import { deferMenu } from '../../ui/deferMenu';
import { lazyPart } from '../../ui/lazyPart';
import { saveCsv } from '../table/saveCsv';
import { exportRates, useImportRates } from './queries';
import styles from './tax.module.css';

const ActionMenu = deferMenu(async () => (await import('../ui/ActionMenu')).ActionMenu);
const ImportErrors = lazyPart(() => import('./ImportErrors'), 'ImportErrors');

/** Exports and imports the rates as CSV. */
export function CsvMenu() {
  const chooser = useRef<HTMLInputElement>(null);
  const { mutate: send, error, reset } = useImportRates();
  const isRefused = error instanceof ApiError && error.code === 'import_refused';
  const { mutate: fetchFile } = useMutation({
    mutationFn: exportRates,
    onSuccess: (csv) => saveCsv(csv, 'sales-tax.csv'),
    meta: { failure: adminMessages.noExport },
  });
  return (
    <>
      <ActionMenu
        title="Import or export tax rates"
        className={`${chipStyles['chip']} ${styles['csv']}`}
        entries={[
          { label: 'Export CSV', icon: 'download', onSelect: () => fetchFile() },
          { label: 'Import CSV', icon: 'upload', onSelect: () => chooser.current?.click() },
        ]}
      >
        CSV
      </ActionMenu>
      <input
        ref={chooser}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="Tax rate CSV file"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) send(file);
          event.currentTarget.value = '';
        }}
      />
      {isRefused && (
        <Suspense>
          <ImportErrors mistakes={error.errors} onClose={reset} />
        </Suspense>
      )}
    </>
  );
}
