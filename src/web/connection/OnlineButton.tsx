import { type ComponentProps, useId } from 'react';
import { ActionButton } from '../ui/ActionButton';
import { ConnectionNotice } from './ConnectionNotice';
import { useIsOnline } from '../server/reachability';

/**
 * A button for what only the shop itself can do. Without a connection it waits, and the line above it says why.
 * @param props.what what cannot be done then: 'Login'
 * @param props.aria-describedby what else the button waits for
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
