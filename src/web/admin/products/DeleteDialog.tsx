import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { focusHeading } from '../../ui/focusHeading';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { type StaffProduct, useArchiveProduct } from './queries';

interface Props {
  product: Pick<StaffProduct, 'id' | 'name'>;
  onClose: () => void;
  /** After the server said so. */
  onDone?: () => void;
}

export function DeleteDialog({ product: { id, name }, onClose, onDone }: Props) {
  const { mutate: archive } = useArchiveProduct(onDone ?? focusHeading); // the row that had the focus goes
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      text={catalogStaffMessages.deleteKeeps}
      action="Delete"
      onConfirm={() => archive(id)}
      onClose={onClose}
    />
  );
}
