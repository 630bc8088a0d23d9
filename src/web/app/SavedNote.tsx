import { savedForOffline } from '../../shared/install';
import { useSaved } from '../offline/saved';
import { Icon } from '../ui/Icon';

/** Says so once the whole shop is on this device. */
export function SavedNote() {
  const isSaved = useSaved();
  if (!isSaved) return null;
  return (
    <>
      <Icon name="check" size={16} /> {savedForOffline}
    </>
  );
}
