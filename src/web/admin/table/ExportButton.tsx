import { useMutation } from '@tanstack/react-query';
import { adminMessages } from '../../../shared/admin';
import { ActionButton } from '../../ui/ActionButton';
import { AdminIcon } from '../ui/AdminIcon';
import { saveCsv } from './saveCsv';

interface Props {
  /** Asks for exactly the rows that the list is filtered to, all pages of them. */
  read: () => Promise<string>;
  /** Of the file: 'products.csv'. */
  fileName: string;
  /** Where there is little room: 'CSV'. */
  label?: string;
}

/** Saves the list as CSV. The rows come by a call, since a plain link would not renew an old session. */
export function ExportButton({ read, fileName, label = 'Export CSV' }: Props) {
  const { mutate, isPending } = useMutation({
    mutationFn: read,
    onSuccess: (csv) => saveCsv(csv, fileName),
    meta: { failure: adminMessages.noExport },
  });
  return (
    <ActionButton variant="outline" isBusy={isPending} onClick={() => mutate()}>
      <AdminIcon name="download" />
      {label}
    </ActionButton>
  );
}
