import { useMutation } from '@tanstack/react-query';
import { adminSays } from '../../../shared/admin';
import { ActionButton } from '../../ui/ActionButton';
import { AdminIcon } from '../ui/AdminIcon';

interface Props {
  /** Asks for exactly the rows that the list is filtered to, all pages of them. */
  read: () => Promise<string>;
  /** Of the file: 'products.csv'. */
  fileName: string;
}

/** Saves the list as CSV. The rows come by a call, since a plain link would not renew an old session. */
export function ExportButton({ read, fileName }: Props) {
  const { mutate, isPending } = useMutation({
    mutationFn: read,
    onSuccess: (csv) => save(csv, fileName),
    meta: { failure: adminSays.noExport },
  });
  return (
    <ActionButton variant="outline" isBusy={isPending} onClick={() => mutate()}>
      <AdminIcon name="download" />
      Export CSV
    </ActionButton>
  );
}

function save(csv: string, fileName: string): void {
  // the mark at the beginning tells spreadsheets that it is UTF-8; reading a text takes it away
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv.replace(/^\uFEFF/, '')], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
