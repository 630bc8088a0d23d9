import { Suspense, useState } from 'react';
import { listPageMessages, numberText } from '../../../shared/listPages';
import type { ProductList } from '../../../shared/lists';
import { outboxMessages } from '../../../shared/outbox';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { putBack } from '../core/changeLists';
import { discardRefused, refusedFields } from '../core/queries';
import type { RefusedListChange } from '../core/rejectedChanges';
import styles from '../../connection/refused.module.css';
import { lazyPart } from '../../ui/lazyPart';

const ListNameDialog = lazyPart(() => import('../core/ListNameDialog'), 'ListNameDialog');

interface Props {
  refused: readonly RefusedListChange[];
  /** All of the user's lists. */
  lists: readonly ProductList[];
}

/**
 * Rejected list changes: each stays until it is put back or discarded. Those of one missing list are shown together.
 * Rule: docs/rules/kitchen.md, Refused counts
 */
export function RefusedLists({ refused, lists }: Props) {
  if (refused.length === 0) return null;
  return (
    <ul className={styles['list']}>
      {groups(refused).map((group) => (
        <Refused key={group[0]?.key} group={group} lists={lists} />
      ))}
    </ul>
  );
}

/** Groups the changes of each missing list; changes of existing lists stay separate. */
function groups(refused: readonly RefusedListChange[]): RefusedListChange[][] {
  const gone = new Set(refused.filter(isWithoutList).map(({ listId }) => listId));
  const ofGone = [...gone].map((id) => refused.filter(({ listId }) => listId === id));
  return [...ofGone, ...refused.filter(({ listId }) => !gone.has(listId)).map((each) => [each])];
}

const isWithoutList = ({ reason, change }: RefusedListChange) =>
  reason.code === 'list_not_found' || change.operation === 'createList';

function Refused({ group, lists }: { group: readonly RefusedListChange[]; lists: readonly ProductList[] }) {
  const [isNaming, setNaming] = useState(false);
  const [first] = group;
  if (!first) return null;
  const needsName = group.some(({ reason }) => reason.code === 'list_name_taken');
  const last = nameOf(first);
  return (
    <li className={styles['change']}>
      <span className={styles['name']}>
        {group.length > 1 ? `${last}: ${listPageMessages.counts(group.length)}` : last}
      </span>
      <Badge tone="error">{first.reason.message}</Badge>
      <Button
        size="sm"
        variant="outline"
        className={styles['answer']}
        onClick={() => (needsName ? setNaming(true) : void putBack(group))}
      >
        {listPageMessages.putBack}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        className={styles['answer']}
        onClick={() => void Promise.all(group.map(discardRefused))}
      >
        {outboxMessages.discard}
      </Button>
      {isNaming && (
        <Suspense>
          <ListNameDialog
            title={listPageMessages.putBack}
            action={listPageMessages.putBack}
            name={last}
            others={lists}
            onName={(name) => void putBack(group, name)}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </li>
  );
}

/** 'Cumin Seeds, 0.5 on hand', or the list's name. */
function nameOf(change: RefusedListChange): string {
  const { onHand, par } = refusedFields(change) ?? {};
  if (isWithoutList(change) || !change.productName) return change.listName || listPageMessages.title;
  if (onHand !== undefined) return `${change.productName}, ${numberText(onHand)} on hand`;
  return par === undefined ? change.productName : `${change.productName}, par ${numberText(par)}`;
}
