import { type ComponentProps, useId } from 'react';
import { ActionButton } from '../ui/ActionButton';
import { ConnectionNotice } from './ConnectionNotice';
import { useIsOnline } from '../server/reachability';

/**
 * A button for actions that need the server. Offline it is disabled, and the notice above it says why.
 * @param props.what the action that is unavailable offline: 'log in'
 * @param props.aria-describedby other reasons why the button is disabled
 */
export function OnlineButton({
  what,
  isOff = false,
  'aria-describedby': why,
  ...button
}: ComponentProps<typeof ActionButton> & { what: string }) {
  const isOnline = useIsOnline();
  const noticeId = useId();
  return (
    <>
      {!isOnline && <ConnectionNotice what={what} id={noticeId} />}
      <ActionButton
        {...button}
        isOff={isOff || !isOnline}
        aria-describedby={isOnline ? why : [why, noticeId].filter(Boolean).join(' ')}
      />
    </>
  );
}
