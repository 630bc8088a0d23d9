import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { focusHeading } from '../../ui/focusHeading';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { type StaffProduct, useArchiveProduct } from './queries';

interface Props {
  product: Pick<StaffProduct, 'id' | 'name'>;
  onClose: () => void;
  /** Called after the server has deleted it. */
  onDone?: () => void;
}

export function DeleteDialog({ product: { id, name }, onClose, onDone }: Props) {
  const { mutate: archive } = useArchiveProduct(onDone ?? focusHeading); // the focused row will be removed
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
