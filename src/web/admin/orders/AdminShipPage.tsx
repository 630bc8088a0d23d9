import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { unitsLeft } from '../../../shared/orderUnits';
import { compactNumber } from '../../../shared/parcels';
import { maxShippedOrders, shippingMessages as messages } from '../../../shared/shippingStaff';
import { isId } from '../../../shared/staffList';
import { OnlineButton } from '../../connection/OnlineButton';
import { focusHeading } from '../../ui/focusHeading';
import { Icon } from '../../ui/Icon';
import { AdminHead, Pending } from '../ui/AdminHead';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import type { Order } from './queries';
import type { ShipEntry } from './shippingDraft';
import styles from './ShipOrders.module.css';
import { shipQuery, useShipOrders } from './shipQueries';
import { ShipRow } from './ShipRow';
import { isReady, useShipEntries, without } from './useShipEntries';

const back = { to: '/ordered/products', label: 'Back to Orders' };

/** Ships the orders chosen in the list. Rule: docs/rules/back-office.md, Ship orders */
export function AdminShipPage() {
  const { ids = [] } = useSearch({ strict: false });
  const chosen = [ids].flat().filter(isId).slice(0, maxShippedOrders);
  const query = useQuery({ ...shipQuery(chosen), enabled: chosen.length > 0 });
  return (
    <>
      <AdminHead title={messages.title} back={back} />
      {(chosen.length === 0 || query.data?.length === 0) && <p>{messages.noneChosen}</p>}
      {chosen.length > 0 && (
        <Pending
          query={query}
          failure={messages.listFailure}
          back={back}
          what="the orders"
          className={form['waiting']}
        />
      )}
      {query.data && query.data.length > 0 && <ShipForm orders={query.data} />}
    </>
  );
}

function ShipForm({ orders }: { orders: readonly Order[] }) {
  const { prepare, forget, restore, entryOf, hasEntry, ...entries } = useShipEntries();
  const [failures, setFailures] = useState<Readonly<Record<string, string>>>({});
  const { mutate, isPending } = useShipOrders();
  const place = useRef<HTMLFormElement>(null);
  const left = orders.filter((order) => unitsLeft(order) > 0);
  const ready = left.filter((order) => isReady(order, entryOf(order.id)));
  const failed = left.filter(({ id }) => failures[id] !== undefined);
  const firstWith = firstOrderWith(left, (order) => entryOf(order.id).number);
  const setFailure = (orderId: string, reason: string | undefined) =>
    setFailures((before) => ({ ...without(before, orderId), ...(reason !== undefined && { [orderId]: reason }) }));
  useFocusAfterSaving(place, isPending);
  const over = orders.filter((order) => !left.includes(order) && hasEntry(order.id)).map(({ id }) => id);
  const undone = useRef(new Map<string, ShipEntry>());
  useEffect(() => {
    if (over.length > 0) forget(...over);
    for (const { id } of left) {
      const entry = undone.current.get(id);
      if (entry) restore(id, entry);
      undone.current.delete(id);
    }
  });

  const save = (event: FormEvent) => {
    event.preventDefault();
    setFailures({});
    const entered = new Map(ready.map(({ id }) => [id, entryOf(id)]));
    mutate({
      shipments: prepare(ready),
      onShipped: (orderId) => forget(orderId),
      onFailed: setFailure,
      onUndone: (orderId) => {
        const entry = entered.get(orderId);
        if (entry) undone.current.set(orderId, entry); // its row has fields again once the list says so
      },
    });
  };
  return (
    <form ref={place} noValidate onSubmit={save}>
      <p className={styles['intro']}>{messages.intro}</p>
      <section className={box['box']} aria-label={messages.title}>
        <ul>
          <li className={styles['columns']} aria-hidden="true">
            <span>Order</span>
            <span>Items left</span>
            <span>Carrier</span>
            <span>Tracking number</span>
            <span />
          </li>
          {orders.map((order) => (
            <ShipRow
              key={order.id}
              order={order}
              entry={entryOf(order.id)}
              failure={failures[order.id]}
              sameAs={firstWith(order)}
              isBusy={isPending}
              onChange={() => setFailure(order.id, undefined)}
              {...entries}
            />
          ))}
        </ul>
      </section>
      <div className={styles['bar']}>
        {failed.length > 0 && !isPending ? (
          <p role="alert" className={styles['problem']}>
            <Icon name="alert" size={16} />
            {messages.refused(failed.length)}
          </p>
        ) : (
          <p className={styles['state']}>{stateOf(left.length, ready.length)}</p>
        )}
        <OnlineButton what="ship orders" type="submit" isBusy={isPending} isOff={ready.length === 0}>
          Save
        </OnlineButton>
      </div>
    </form>
  );
}

function stateOf(left: number, ready: number): string {
  if (left === 0) return messages.allShipped;
  return ready === 0 ? messages.noneReady : messages.ready(ready, left - ready);
}

/** @returns the number of an order above this one with the same tracking number */
function firstOrderWith(orders: readonly Order[], numberOf: (order: Order) => string) {
  const first = new Map<string, Order>();
  for (const order of orders) {
    const number = compactNumber(numberOf(order));
    if (number !== '' && !first.has(number)) first.set(number, order);
  }
  return (order: Order): string | undefined => {
    const found = first.get(compactNumber(numberOf(order)));
    return found && found.id !== order.id ? found.orderNumber : undefined;
  };
}

/** To the first number that needs a look, or to the heading, as Save has nothing more to do. */
function useFocusAfterSaving(place: { current: HTMLElement | null }, isPending: boolean): void {
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !isPending) {
      const wrong = place.current?.querySelector<HTMLElement>('input[aria-invalid]');
      if (wrong) wrong.focus();
      else focusHeading();
    }
    wasPending.current = isPending;
  }, [place, isPending]);
}
