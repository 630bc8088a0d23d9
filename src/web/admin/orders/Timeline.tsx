import { formatMoney, toCents } from '../../../shared/money';
import { mailKindLabels, mailStateLabels } from '../../../shared/mail';
import { type OrderStatus, statusLabels } from '../../../shared/orders';
import { orderStaffMessages as messages } from '../../../shared/ordersStaff';
import { parcelMessages } from '../../../shared/parcels';
import { useNameWithSize } from '../../catalog/core/useSizeOf';
import { OnlineButton } from '../../connection/OnlineButton';
import { useShopTime } from '../../ui/shopTime';
import { useResendMail } from '../mail/queries';
import form from '../ui/form.module.css';
import { trackedAs } from './trackedAs';
import type { Order, StaffOrder } from './queries';
import styles from './Timeline.module.css';

/** The usual statuses of an order; the ones not reached yet are hollow. */
const usual: readonly OrderStatus[] = ['PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];

/** The order's history, oldest first. Rule: docs/rules/back-office.md, Orders */
export function Timeline({ order, details }: { order: Order } & Pick<StaffOrder, 'details'>) {
  const { shortTimeOf } = useShopTime();
  const nameOf = useNameWithSize();
  const { orderStatus } = order;
  const toCome = usual.includes(orderStatus) ? usual.slice(usual.indexOf(orderStatus) + 1) : [];
  return (
    <div>
      <h2 className={form['heading']}>Timeline</h2>
      <ol className={styles['timeline']}>
        {stepsOf(order, details, nameOf).map(({ at, what, by, note, unsentMailId }, place) => (
          <li key={`${place} ${at} ${what}`}>
            {what}
            <small>{[shortTimeOf(at), by].filter(Boolean).join(', ')}</small>
            {note && <small>{note}</small>}
            {unsentMailId !== undefined && <ResendEmail id={unsentMailId} what={what} />}
          </li>
        ))}
        {toCome.map((status) => (
          <li key={status} className={styles['toCome']}>
            {statusLabels[status]}
          </li>
        ))}
      </ol>
    </div>
  );
}

type Step = {
  at: string;
  what: string;
  by: string | null;
  note?: string | null;
  /** An email that staff can send again. */
  unsentMailId?: string | undefined;
};
type Details = StaffOrder['details'];

/** Such an email is never sent later by itself. */
function ResendEmail({ id, what }: { id: string; what: string }) {
  const { mutate, isPending } = useResendMail();
  return (
    <OnlineButton
      what="send email"
      size="sm"
      variant="outline"
      className={styles['resend']}
      aria-label={`Send again: ${what}`}
      isBusy={isPending}
      onClick={() => mutate(id)}
    >
      Send again
    </OnlineButton>
  );
}

type NameOf = ReturnType<typeof useNameWithSize>;

function stepsOf(order: Order, { payment, notes, emails = [], trackingChanges = [] }: Details, nameOf: NameOf): Step[] {
  const { timeline, refunds, shipmentTrackingUrl, parcels = [] } = order;
  return [
    ...timeline.map(toStep),
    ...(payment?.declines ?? []).map(toDecline),
    ...refunds.map((refund) => toRefund(refund, nameOf)),
    ...trackingChanges.map((change, place) => ({
      ...change,
      what: tracking(place, trackingChanges.length, shipmentTrackingUrl),
    })),
    ...parcels.map((parcel, place) => ({
      at: parcel.shippedAt,
      by: parcel.by,
      what: parcelMessages.created(place + 1),
      note: trackedAs(parcel),
    })),
    ...emails.map(({ id, kind, state, at }) => ({
      at,
      by: null,
      unsentMailId: state === 'not_sent' || state === 'failed' ? id : undefined,
      what: messages.email(mailKindLabels[kind], mailStateLabels[state]),
    })),
    ...notes.map(({ at, by }) => ({ at, by, what: messages.noteAdded })),
  ].toSorted((one, other) => one.at.localeCompare(other.at));
}

const toStep = ({ status, ...step }: Order['timeline'][number]): Step => ({
  ...step,
  what: status === 'PENDING_PAYMENT' ? 'Order placed' : statusLabels[status],
});

/** The reason is the provider's own code, such as `insufficient_funds`. */
const toDecline = ({ at, reason }: NonNullable<Details['payment']>['declines'][number]): Step => ({
  at,
  what: messages.declined,
  by: null,
  note: reason?.replaceAll('_', ' ') ?? null,
});

function toRefund({ amount, state, by, createdAt, doneAt, lines }: Order['refunds'][number], nameOf: NameOf): Step {
  const note = lines.map((line) => `${line.quantity} × ${nameOf(line)}`).join(', ');
  return { at: doneAt ?? createdAt, by, note, what: messages.refundStep[state](formatMoney(toCents(amount))) };
}

/** The server does not store the link's earlier values. */
function tracking(place: number, changes: number, url: string | null): string {
  if (place === changes - 1 && url === null) return messages.trackingRemoved;
  return place === 0 ? messages.trackingAdded : messages.trackingChanged;
}
