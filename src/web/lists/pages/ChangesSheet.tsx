import { useEffect } from 'react';
import { changesMessages, groupsOf, rowsOf } from '../../../shared/changes';
import { dayTimeOf } from '../../ui/localTime';
import { dismissChanges, restoreChanges } from './journal';
import { type Away, away } from './syncState';
import { session } from '../../server/session';
import { Button } from '../../ui/Button';
import { Drawer } from '../../ui/Drawer';
import { Heading } from '../../ui/Heading';
import { toast } from '../../ui/toast';
import { ChangeLine } from './ChangeLine';
import styles from './ChangesSheet.module.css';
import { useNotedChanges, useProductFacts } from './useChanges';

interface Props {
  userId: string;
  away: Away;
}

const close = () => away.set(undefined);

/**
 * What changed while the device was away, in groups. After closing, the changes are still on the page 'What changed'.
 */
export function ChangesSheet({ userId, away: absence }: Props) {
  const { since, until } = absence;
  const noted = useNotedChanges(userId);
  const rows = rowsOf(noted?.filter(({ at }) => at > since && at <= until) ?? []);
  const groups = groupsOf(rows);
  const factsOf = useProductFacts(userId, rows);
  const isEmpty = noted !== undefined && rows.length === 0;
  useEffect(() => {
    if (isEmpty) close();
  }, [isEmpty]);
  if (rows.length === 0) return null;
  const dismissAll = async () => {
    const dismissed = await dismissChanges(rows.flatMap(({ keys }) => keys)).catch(() => undefined);
    if (!dismissed) return toast.error(changesMessages.couldNotSave);
    close();
    const undo = async () => {
      await restoreChanges(dismissed);
      if (session.get()?.id === userId) away.set(absence);
    };
    const onPress = () => void undo().catch(() => toast.error(changesMessages.couldNotSave));
    toast.success(changesMessages.dismissed, { label: changesMessages.undo, onPress });
  };
  const foot = (
    <Button size="lg" variant="outline" onClick={() => void dismissAll()}>
      {changesMessages.dismissAll}
    </Button>
  );
  return (
    <Drawer title={changesMessages.sheet} onClose={close} foot={foot}>
      <p className={`muted tabular ${styles['since']}`}>{changesMessages.since(dayTimeOf(since))}</p>
      <div className={styles['groups']} data-changes>
        {groups.map(({ group, rows: own }) => (
          <section key={group}>
            <Heading as="h3" textStyle="h3" className={styles['title'] ?? ''}>
              {changesMessages.groups[group]} <span className="tabular">{own.length}</span>
            </Heading>
            <ul>
              {own.map((row) => (
                <ChangeLine key={row.id} row={row} factsOf={factsOf} isInGroup onFollow={close} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Drawer>
  );
}
