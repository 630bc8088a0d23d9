import { savedForOffline } from '../../shared/install';
import { useSaved } from '../device/saved';
import { Icon } from '../ui/Icon';

/** Shows 'Saved for offline' once the whole shop is on this device. */
export function SavedNote() {
  const isSaved = useSaved();
  if (!isSaved) return null;
  return (
    <>
      <Icon name="check" size={16} /> {savedForOffline}
    </>
  );
}
