import type { MouseEvent } from 'react';
import { picturesMessages, savedForOffline } from '../../shared/install';
import { picturesWanted } from '../device/picturesWanted';
import { useSaved } from '../device/saved';
import { useIsOnline } from '../server/reachability';
import { Icon } from '../ui/Icon';

/**
 * Shows "Saved for offline" once the whole shop is on this device. On a metered connection it lists what is missing,
 * and a button downloads the pictures too, or stops that. Rule: docs/rules/offline.md, Saving data
 */
export function SavedNote() {
  const { isComplete, opensOffline, missing, isMetered, isWanted } = useSaved();
  const isOnline = useIsOnline();
  const isFetching = isOnline && (isWanted || !isMetered);
  const partialStatus = () => {
    if (!opensOffline || !missing) return '';
    if (isFetching) return isMetered ? picturesMessages.saving : '';
    return picturesMessages.without(missing);
  };
  const toggle = ({ detail: clicks }: MouseEvent) => clicks < 2 && picturesWanted.set(!isWanted); // no double clicks
  const offer = missing ? picturesMessages.saveToo(missing.bytes) : picturesMessages.saveNew;
  return (
    <>
      <output>
        {isComplete && <Icon name="check" size={16} />}
        {isComplete ? savedForOffline : partialStatus()}
      </output>
      {isMetered && isOnline && opensOffline && (isComplete || missing) && (
        <button type="button" onClick={toggle}>
          {isWanted ? picturesMessages.stop : offer}
        </button>
      )}
    </>
  );
}
