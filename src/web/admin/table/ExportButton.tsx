import { useMutation } from '@tanstack/react-query';
import { adminMessages } from '../../../shared/admin';
import { ActionButton } from '../../ui/ActionButton';
import { AdminIcon } from '../ui/AdminIcon';
import { saveCsv } from './saveCsv';

interface Props {
  /** Fetches exactly the filtered rows, of all pages. */
  read: () => Promise<string>;
  /** Such as 'products.csv'. */
  fileName: string;
  /** A shorter label for tight places: 'CSV'. */
  label?: string;
}

/** Saves the list as CSV. It uses an API call, because a plain link would not renew an expired access token. */
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
