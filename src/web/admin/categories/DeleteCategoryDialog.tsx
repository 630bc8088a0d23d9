import { catalogStaffSays } from '../../../shared/catalogStaff';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { focusHeading } from '../../ui/focusHeading';
import { useDeleteCategories } from './queries';

interface Props {
  category: { id: string; name: string };
  onClose: () => void;
  onDone?: () => unknown;
}

export function DeleteCategoryDialog({ category: { id, name }, onClose, onDone }: Props) {
  const { mutate } = useDeleteCategories(onDone ?? focusHeading); // the row that had the focus goes
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      text={catalogStaffSays.deleteCategoryText}
      action="Delete"
      onConfirm={() => mutate([{ id }])}
      onClose={onClose}
    />
  );
}
