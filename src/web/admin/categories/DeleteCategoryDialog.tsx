import { categoryTitle } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { focusHeading } from '../../ui/focusHeading';
import { useDeleteCategories } from './queries';

interface Props {
  category: Pick<Schema<'Category'>, 'id' | 'name' | 'title'>;
  onClose: () => void;
  onDone?: () => unknown;
}

export function DeleteCategoryDialog({ category, onClose, onDone }: Props) {
  const { mutate } = useDeleteCategories(onDone ?? focusHeading); // the focused row will be removed
  return (
    <ConfirmDialog
      title={`Delete ${categoryTitle(category)}?`}
      text={catalogStaffMessages.deleteCategoryText}
      action="Delete"
      onConfirm={() => mutate([{ id: category.id }])}
      onClose={onClose}
    />
  );
}
