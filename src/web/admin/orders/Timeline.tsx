import { type OrderStatus, statusLabels } from '../../../shared/orders';
import { OnlineButton } from '../../connection/OnlineButton';
import { useShopFacts } from '../../ui/shopFacts';
import { useShopTime } from '../../ui/shopTime';
import { TotalLines } from '../../ui/TotalLines';
import { useResendMail } from '../mail/queries';
import form from '../ui/form.module.css';
import { NewNote } from './NewNote';
import type { Order, StaffOrder } from './queries';
import styles from './Timeline.module.css';
import { type Step, stepsOf } from './timelineSteps';

/** The usual statuses of an order; the ones not reached yet are hollow. */
const usual: readonly OrderStatus[] = ['PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];

/** The order's history, oldest first, to which staff add notes. Rule: docs/rules/back-office.md, Orders */
export function Timeline({ order, details }: { order: Order } & Pick<StaffOrder, 'details'>) {
  const { units } = useShopFacts();
  const { orderStatus } = order;
  const toCome = usual.includes(orderStatus) ? usual.slice(usual.indexOf(orderStatus) + 1) : [];
  return (
    <div>
      <h2 className={form['heading']}>Timeline</h2>
      <ol className={styles['timeline']}>
        {stepsOf(order, details, units).map((step, place) => (
          <TimelineStep key={`${place} ${step.at} ${step.what}`} step={step} />
        ))}
        {toCome.map((status) => (
          <li key={status} className={styles['toCome']}>
            {statusLabels[status]}
          </li>
        ))}
      </ol>
      <NewNote key={order.id} orderId={order.id} />
    </div>
  );
}

function TimelineStep({ step: { at, what, by, notes = [], parts = [], text, unsentMailId } }: { step: Step }) {
  const { shortTimeOf } = useShopTime();
  return (
    <li>
      {what}
      <small>{[shortTimeOf(at), by].filter(Boolean).join(', ')}</small>
      {parts.length > 0 && (
        <div className={styles['parts']}>
          <TotalLines lines={parts} isPlain />
        </div>
      )}
      {notes.map((note, place) => note && <small key={`${place} ${note}`}>{note}</small>)}
      {text !== undefined && <p className={styles['note']}>{text}</p>}
      {unsentMailId !== undefined && <ResendEmail id={unsentMailId} what={what} />}
    </li>
  );
}

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
