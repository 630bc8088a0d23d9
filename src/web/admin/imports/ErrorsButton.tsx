import { useMutation } from '@tanstack/react-query';
import { importCallMessages } from '../../../shared/imports';
import { ActionButton } from '../../ui/ActionButton';
import { saveCsv } from '../table/saveCsv';
import { AdminIcon } from '../ui/AdminIcon';
import { type Import, readWrongRows } from './queries';

/** Saves the errors of all rows as CSV: line, product, column, cell, and what is wrong. */
export function ErrorsButton({ data }: { data: Import }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => readWrongRows(data.id),
    onSuccess: (csv) => saveCsv(csv, 'import-errors.csv'),
    meta: { failure: importCallMessages.listImportRows.failure },
  });
  return (
    <ActionButton variant="outline" isBusy={isPending} onClick={() => mutate()}>
      <AdminIcon name="download" />
      Rows with errors
    </ActionButton>
  );
}
