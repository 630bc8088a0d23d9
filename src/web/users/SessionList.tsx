import { useQuery } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { accountMessages } from '../../shared/usersAccount';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { focusBeside } from '../ui/focusBeside';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { savedTime } from '../connection/savedTime';
import { ReadFailure } from '../connection/ReadFailure';
import { useIsOnline } from '../server/reachability';
import { ActionButton } from '../ui/ActionButton';
import { focusHeading } from '../ui/focusHeading';
import { Heading } from '../ui/Heading';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Waiting } from '../ui/Waiting';
import { sessionsQuery, useEndOtherSessions, useEndSession } from './profileQueries';
import styles from './SessionList.module.css';
import { lazyPart } from '../ui/lazyPart';

const ConfirmDialog = lazyPart(() => import('../ui/ConfirmDialog'), 'ConfirmDialog');

const offlineId = 'sessions-wait';

/** The user's sessions, with buttons to end them. Source: ASVS 7.5.2 */
export function SessionList({ userId }: { userId: string }) {
  const read = useQuery(sessionsQuery(userId));
  const { data: sessions, error } = read;
  const isOnline = useIsOnline();
  const disabledBy = isOnline ? undefined : offlineId;
  return (
    <section className={`panel ${styles['panel']}`} aria-labelledby="sessions">
      <Heading as="h2" textStyle="h3" id="sessions">
        Devices
      </Heading>
      {!sessions && error && <ReadFailure read={read} failure={authMessages.listSessions.failure} />}
      {!sessions && !error && (
        <Waiting what="your devices">
          <SkeletonRows rows={1} />
        </Waiting>
      )}
      {!isOnline && sessions && sessions.length > 1 && <ConnectionNotice what="log out other devices" id={offlineId} />}
      {sessions && (
        <ul className={styles['list']}>
          {sessions.map((session) => (
            <SessionLine key={session.id} userId={userId} session={session} offlineId={disabledBy} />
          ))}
        </ul>
      )}
      {sessions && sessions.length > 1 && <EndOthers userId={userId} offlineId={disabledBy} />}
    </section>
  );
}

interface Props {
  userId: string;
  /** ID of the offline notice, if shown. */
  offlineId: string | undefined;
}

function SessionLine({ userId, offlineId: disabledBy, session }: Props & { session: Schema<'OwnSession'> }) {
  const line = useRef<HTMLLIElement>(null);
  const end = useEndSession(userId, () => focusBeside(line.current));
  const device = session.device || accountMessages.unknownDevice;
  const used = session.isCurrent
    ? accountMessages.thisDevice
    : accountMessages.lastUsed(savedTime(Date.parse(session.lastUsedAt)));
  return (
    <li ref={line} className={styles['session']}>
      <div>
        <b className={styles['device']}>{device}</b>
        <span className={styles['used']}>{used}</span>
      </div>
      {!session.isCurrent && (
        <ActionButton
          variant="outline"
          aria-label={`Log out ${device}`}
          data-removes=""
          isOff={disabledBy !== undefined}
          aria-describedby={disabledBy}
          isBusy={end.isPending}
          onClick={() => end.mutate(session.id)}
        >
          Log out
        </ActionButton>
      )}
    </li>
  );
}

function EndOthers({ userId, offlineId: disabledBy }: Props) {
  const [isAsking, setAsking] = useState(false);
  const end = useEndOtherSessions(userId, focusHeading);
  return (
    <div>
      <ActionButton
        variant="outline"
        isOff={disabledBy !== undefined}
        aria-describedby={disabledBy}
        isBusy={end.isPending}
        onClick={() => setAsking(true)}
      >
        Log out other devices
      </ActionButton>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title="Log out all other devices?"
            text={accountMessages.endOthers}
            action="Log out other devices"
            onConfirm={() => end.mutate()}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
