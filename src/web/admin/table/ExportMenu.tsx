import { useMutation } from '@tanstack/react-query';
import { adminMessages } from '../../../shared/admin';
import { buttonClass } from '../../ui/Button';
import { deferMenu } from '../../ui/deferMenu';
import { AdminIcon } from '../ui/AdminIcon';
import { saveCsv } from './saveCsv';

const ActionMenu = deferMenu(async () => (await import('../ui/ActionMenu')).ActionMenu);

interface FileChoice {
  /** Such as 'One row per order'. */
  label: string;
  fileName: string;
  /** Fetches exactly the filtered rows, of all pages. */
  read: () => Promise<string>;
}

/** Saves the list as CSV in the form that the person chooses. */
export function ExportMenu({ files }: { files: readonly FileChoice[] }) {
  const { mutate, isPending } = useMutation({
    mutationFn: ({ read }: FileChoice) => read(),
    onSuccess: (csv, { fileName }) => saveCsv(csv, fileName),
    meta: { failure: adminMessages.noExport },
  });
  return (
    <>
      <ActionMenu
        title="Export CSV"
        className={buttonClass({ variant: 'outline' })}
        entries={files.map((file) => ({
          label: file.label,
          icon: 'download',
          isOff: isPending,
          onSelect: () => mutate(file),
        }))}
      >
        <AdminIcon name="download" />
        {isPending ? 'Exporting…' : 'Export CSV'}
      </ActionMenu>
      <output className="sr-only">{isPending && 'Exporting CSV'}</output>
    </>
  );
}
