import { getRouteApi } from '@tanstack/react-router';
import { byGroup, changesMessages, type NotedChange, rowsOf } from '../../../shared/changes';
import { AccountFrame } from '../../users/AccountFrame';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Waiting } from '../../ui/Waiting';
import { ChangeLine } from './ChangeLine';
import styles from './ChangesPage.module.css';
import { dateOf } from '../../ui/localTime';
import { useNotedChanges, useProductFacts } from './useChanges';

const route = getRouteApi('/shop/signed-in/customer/changes');

/** What changed in the last 30 days, by day. Rule: docs/rules/kitchen.md, While you were away */
export function ChangesPage() {
  const { user } = route.useRouteContext();
  const noted = useNotedChanges(user.id);
  const days = daysOf(noted ?? []);
  const factsOf = useProductFacts(
    user.id,
    days.flatMap(({ rows }) => rows),
  );
  return (
    <AccountFrame title={changesMessages.page} about={changesMessages.about}>
      {!noted && (
        <Waiting what="what changed">
          <SkeletonRows rows={3} />
        </Waiting>
      )}
      {noted && days.length === 0 && <p>{changesMessages.nothing}</p>}
      <div className={styles['days']} data-changes>
        {days.map(({ day, rows }) => (
          <section key={day}>
            <h2 className={styles['day']}>{day}</h2>
            <ul>
              {rows.map((row) => (
                <ChangeLine key={row.id} row={row} factsOf={factsOf} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </AccountFrame>
  );
}

/** Days in the device's time zone, latest first. Leaves out changes that were reverted on the same day. */
function daysOf(noted: readonly NotedChange[]) {
  const days = new Map<string, NotedChange[]>();
  for (const each of noted.toSorted((one, other) => other.at - one.at)) {
    const day = dateOf(each.at);
    days.set(day, [...(days.get(day) ?? []), each]);
  }
  return [...days]
    .map(([day, own]) => ({ day, rows: rowsOf(own).toSorted(byGroup) }))
    .filter(({ rows }) => rows.length > 0);
}
