import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { capital, type Change, type ChangeRow, changesMessages, groupOf } from '../../../shared/changes';
import { formatMoney, toCents } from '../../../shared/money';
import { statusLabels } from '../../../shared/orders';
import { useSizeOf } from '../../catalog/core/useSizeOf';
import { dismissChanges } from './journal';
import { focusHeading } from '../../ui/focusHeading';
import { IconButton } from '../../ui/IconButton';
import { LaterIcon } from '../../ui/LaterIcon';
import { Thumbnail } from '../../ui/Thumbnail';
import { toast } from '../../ui/toast';
import styles from './ChangeLine.module.css';
import type { ProductFacts } from './useChanges';

interface Props {
  row: ChangeRow;
  factsOf: (productId: string) => ProductFacts;
  /** The group's heading already names the kind of change. */
  isInGroup?: boolean;
  onFollow?: (() => void) | undefined;
}

/** One change: a link to its subject, what changed, and a button that dismisses it permanently. */
export function ChangeLine({ row: { change, keys }, factsOf, isInGroup = false, onFollow }: Props) {
  const facts = change.kind === 'order' ? undefined : factsOf(change.productId);
  const name =
    change.kind === 'order' ? changesMessages.order(change.orderNumber) : (facts?.product?.name ?? change.name);
  return (
    <li className={styles['change']}>
      <span className={change.kind === 'order' ? styles['order'] : styles['picture']}>
        {change.kind === 'order' ? (
          <LaterIcon name="truck" size={24} />
        ) : (
          <Thumbnail imageUrl={facts?.product?.imageUrl ?? null} />
        )}
      </span>
      <span className={styles['about']}>
        <ChangeLink change={change} onFollow={onFollow}>
          {name}
        </ChangeLink>
        <small>
          <ChangeDetail change={change} facts={facts} isInGroup={isInGroup} />
        </small>
      </span>
      <IconButton
        icon="cross"
        label={changesMessages.dismiss(name)}
        className={styles['dismiss'] ?? ''}
        data-removes
        onClick={({ currentTarget }) => {
          focusNext(currentTarget);
          void dismissChanges(keys).catch(() => toast.error(changesMessages.couldNotSave));
        }}
      />
    </li>
  );
}

interface LinkProps {
  change: Change;
  onFollow: (() => void) | undefined;
  children: ReactNode;
}

function ChangeLink({ change, onFollow, children }: LinkProps) {
  if (change.kind === 'order') {
    return (
      <Link to="/customer/orders/$orderId/receipt" params={{ orderId: change.orderId }} onClick={onFollow}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/customer/view/product/$id" params={{ id: change.productId }} onClick={onFollow}>
      {children}
    </Link>
  );
}

type ChangeDetailProps = Pick<Required<Props>, 'isInGroup'> & { change: Change; facts: ProductFacts | undefined };

function ChangeDetail({ change, facts, isInGroup }: ChangeDetailProps) {
  const sizeOf = useSizeOf();
  if (change.kind === 'order') {
    return (
      <>
        {changesMessages.now}
        <b>{statusLabels[change.to]}</b>
      </>
    );
  }
  if (change.kind === 'price') {
    return (
      <>
        <s>
          <span className="sr-only">{changesMessages.was}</span>
          {formatMoney(change.from)}
        </s>{' '}
        <b>{formatMoney(change.to)}</b>
        {facts?.where && ` · ${facts.where}`}
      </>
    );
  }
  const more = change.kind === 'new' ? offered(facts, sizeOf) : facts?.where;
  if (isInGroup) return more && capital(more);
  return [changesMessages.groups[groupOf(change)], more].filter(Boolean).join(' · ');
}

const offered = (facts: ProductFacts | undefined, sizeOf: ReturnType<typeof useSizeOf>): string | undefined =>
  facts?.product && changesMessages.offered(formatMoney(toCents(facts.product.price)), sizeOf(facts.product));

/**
 * Moves the focus before its element is removed: to the next dismiss button, else the previous one, else the heading.
 */
function focusNext(button: HTMLElement): void {
  const list = button.closest('[data-changes]') ?? document;
  const all = [...list.querySelectorAll<HTMLElement>('[data-removes]')];
  const place = all.indexOf(button);
  const next = all[place + 1] ?? all[place - 1];
  if (next) next.focus();
  else focusHeading();
}
