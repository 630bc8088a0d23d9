import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { backupMessages } from '../../../shared/backups';
import { type Backup, backupPageMessages as messages, causeInWords } from '../../../shared/backupsStaff';
import { agoOf, sizeOf } from '../../../shared/health';
import { OnlineButton } from '../../connection/OnlineButton';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { useShopTime } from '../../ui/shopTime';
import { Pending } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import notice from '../ui/notice.module.css';
import { BackupDownloadDialog, BackupRestoreDialog } from './BackupDialogs';
import { type Backups as Answer, backupsQuery, isUnfinished, readAgainMs, useStartBackup } from './backupQueries';
import styles from './Backups.module.css';
import { BackupSchedule } from './BackupSchedule';

/** Whether the shop is backed up, when it will be, and the backups that exist. Rule: docs/rules/running.md, Backups by the shop */
export function Backups() {
  const query = useQuery({
    ...backupsQuery(),
    staleTime: 0,
    refetchInterval: ({ state }) => readAgainMs(state.data),
  });
  const { data, isFetchedAfterMount, dataUpdatedAt } = query;
  return (
    <>
      {data && (
        <>
          <Status answer={data} now={dataUpdatedAt} />
          {isFetchedAfterMount && <BackupSchedule schedule={data.schedule} />}
          <List backups={data.backups} />
        </>
      )}
      <Pending
        query={query}
        failure={backupMessages.listBackups.failure}
        what="the backups"
        className={form['waiting']}
      />
    </>
  );
}

/** The newest good backup with its age, and what is wrong with it. */
function Status({ answer: { lastGoodAt, isOverdue, schedule }, now }: { answer: Answer; now: number }) {
  const { shortTimeOf } = useShopTime();
  const last = lastGoodAt !== null && messages.last(shortTimeOf(lastGoodAt), agoOf(now - Date.parse(lastGoodAt)));
  const isRight = last !== false && !isOverdue && schedule.isOn;
  const none = schedule.isOn && !isOverdue ? messages.first(schedule.hour) : undefined;
  const todo = !schedule.isOn ? messages.turnOn : isOverdue ? messages.seeWhy : none;
  const isOff = !schedule.isOn && messages.isOff;
  const title = isOff || (last === false ? messages.none : isOverdue ? messages.overdue : messages.backedUp);
  return (
    <output className={`${notice['notice']} ${isRight ? notice['right'] : ''}`}>
      <Icon name={isRight ? 'check' : 'alert'} />
      <p>
        <b>{title}</b> {last} {!isRight && todo}
      </p>
    </output>
  );
}

type Asked = { backup: Backup; for: 'download' | 'restore' };

function List({ backups }: { backups: readonly Backup[] }) {
  const { mutate: start, isPending } = useStartBackup();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <section className={box['box']} aria-labelledby="backups">
      <header>
        <h2 id="backups">All backups</h2>
        <OnlineButton
          what="back up"
          isBusy={isPending || backups.some(isUnfinished)}
          busyText="Backing up…"
          onClick={() => start(undefined)}
        >
          Back up now
        </OnlineButton>
      </header>
      {backups.length === 0 && <p className={box['state']}>{messages.empty}</p>}
      {backups.length > 0 && (
        <table className={`${box['table']} ${styles['table']}`}>
          <caption className="sr-only">All backups</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Made</th>
              <th scope="col" className={styles['size']}>
                Size
              </th>
              <th scope="col">Checked</th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {backups.map((backup) => (
              <Row key={backup.id} backup={backup} onAsk={(reason) => setAsked({ backup, for: reason })} />
            ))}
          </tbody>
        </table>
      )}
      <p className={styles['note']}>{messages.restoreNote}</p>
      {asked?.for === 'download' && <BackupDownloadDialog backup={asked.backup} onClose={close} />}
      {asked?.for === 'restore' && <BackupRestoreDialog backup={asked.backup} onClose={close} />}
    </section>
  );
}

const states: Record<Backup['state'], [tone: BadgeTone, word: string]> = {
  waiting: ['neutral', 'Waiting'],
  running: ['info', 'Running'],
  good: ['success', 'Verified'],
  failed: ['error', 'Failed'],
  damaged: ['error', 'Damaged'],
};

function Row({ backup, onAsk }: { backup: Backup; onAsk: (reason: Asked['for']) => void }) {
  const { shortTimeOf } = useShopTime();
  const { state, startedAt, bytes, isVerified, isHere, problem } = backup;
  const exists = state === 'good' || state === 'damaged';
  const isUnread = state === 'good' && !isVerified;
  const [tone, word] = isUnread ? (['neutral', 'Not checked yet'] as const) : states[state];
  const when = shortTimeOf(startedAt);
  return (
    <tr>
      <th scope="row">{when}</th>
      <td className={styles['cause']}>{causeInWords(backup)}</td>
      <td className={styles['size']}>{bytes === null ? '–' : sizeOf(bytes)}</td>
      <td className={styles['state']}>
        <Badge tone={tone} hollow={isUnread || isUnfinished(backup)}>
          {word}
        </Badge>
        {problem !== null && <small>{problem}</small>}
      </td>
      <td className={styles['actions']}>
        {exists && !isHere && <span className="muted">{messages.elsewhere}</span>}
        {exists && isHere && (
          <Button variant="ghost" aria-label={`Download backup of ${when}`} onClick={() => onAsk('download')}>
            <AdminIcon name="download" />
            Download
          </Button>
        )}
        {state === 'good' && isHere && (
          <Button variant="ghost" aria-label={`Restore backup of ${when}`} onClick={() => onAsk('restore')}>
            Restore
          </Button>
        )}
      </td>
    </tr>
  );
}
