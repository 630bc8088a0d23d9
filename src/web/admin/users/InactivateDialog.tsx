import { userStaffSays } from '../../../shared/usersStaff';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { type User, useUpdateEnabled } from './queries';

export function InactivateDialog({ user: { id, fullName }, onClose }: { user: User; onClose: () => void }) {
  const { mutate } = useUpdateEnabled();
  return (
    <ConfirmDialog
      title={`Inactivate ${fullName}?`}
      text={userStaffSays.inactivateAsks}
      action="Inactivate"
      onConfirm={() => mutate({ userId: id, isEnabled: false })}
      onClose={onClose}
    />
  );
}
