import { useId, useRef } from 'react';
import { formatMoney, fromCents, toCents } from '../../../shared/money';
import { orderMessages } from '../../../shared/orders';
import { orderStaffMessages as messages } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { sentenceOf } from '../../server/errors';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions, ModalClose } from '../../ui/Modal';
import form from '../ui/form.module.css';
import { Switch } from '../ui/Switch';
import { useCloseGuard } from '../ui/useCloseGuard';
import { type Order, useRefund } from './queries';
import { leftCents, refundForm } from './refundAmount';
import styles from './RefundDialog.module.css';
import { RefundLines, RefundSum } from './RefundLines';
import { useRefundSelection, type Way } from './useRefundSelection';

const ways: Record<Way, string> = { lines: 'Items', amount: 'Custom amount' };

const leaving = { title: messages.leaveRefund, text: messages.leaveRefundText, action: 'Discard' };

/** Refunds units of lines and the delivery, or another amount. Rule: docs/rules/orders-and-payment.md, Refunds */
export function RefundDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const wish = useRefundSelection(order);
  const { way, preview, nothingChosen, setNothingChosen } = wish;
  const left = leftCents(order);
  const entered = { amount: fromCents(left).toFixed(2), reason: '', customerNote: '', restock: false };
  const { field, register, handleSubmit, setError, setValue, formState } = useShopForm(refundForm(left), {
    defaultValues: entered,
  });
  const { mutate, isPending, error } = useRefund(order.id, onClose);
  useFieldErrors(error, setError);
  const cross = useRef<HTMLButtonElement>(null);
  const { close, question } = useCloseGuard(formState.isDirty || wish.isTouched, onClose, leaving);
  const submit = handleSubmit(
    ({ amount, reason, customerNote, restock }) => {
      const words = { reason, ...(customerNote && { customerNote }) };
      if (way === 'lines')
        return preview.amountCents > 0 ? mutate({ ...wish.body(), ...words, restock: false }) : setNothingChosen(true);
      const cents = toCents(Number(amount));
      // without an amount the server refunds 'the rest', which stays right if a colleague refunds at the same time
      return mutate({ ...(cents < left && { amount: fromCents(cents) }), ...words, restock });
    },
    () => way === 'lines' && setNothingChosen(preview.amountCents === 0),
  );
  const isNothingChosen = nothingChosen && way === 'lines' && preview.amountCents === 0;
  const failure = isNothingChosen
    ? messages.chooseFirst
    : error && sentenceOf(error, orderMessages.refundOrder.failure);
  const shown = way === 'lines' && preview.amountCents > 0 ? ` ${formatMoney(preview.amountCents)}` : '';
  return (
    <Modal title="Refund" onClose={close} initialFocus={cross} className={styles['dialog']}>
      <ModalClose ref={cross} onClose={close} />
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <p className={styles['asks']}>{messages.refundAsks}</p>
        <Segments
          way={way}
          onChoose={(chosen) => {
            wish.setWay(chosen);
            if (chosen === 'lines') setValue('amount', entered.amount); // an error in a hidden field must not block the form
          }}
        />
        {way === 'lines' ? (
          <RefundLines {...wish} />
        ) : (
          <>
            <TextField
              label="Amount"
              inputMode="decimal"
              autoComplete="off"
              hint={messages.amountHint(formatMoney(left))}
              {...field('amount')}
            />
            {wish.isRestocked ? (
              <p>{messages.restocked}</p>
            ) : (
              <Switch label="Restock" hint={messages.restockHint} {...register('restock')} />
            )}
          </>
        )}
        <TextField label="Reason" autoComplete="off" hint={messages.reasonHint} {...field('reason')} />
        <TextField label="Note to customer" autoComplete="off" hint={messages.noteHint} {...field('customerNote')} />
        {way === 'lines' && <RefundSum preview={preview} totalCents={toCents(order.totalAmount)} />}
        {failure && <Failure sentence={failure} isOurs={isNothingChosen} />}
        <div className={styles['foot']}>
          <ModalActions onClose={close}>
            <OnlineButton what="issue a refund" type="submit" colorPalette="error" isBusy={isPending}>
              {`Refund${shown}`}
            </OnlineButton>
          </ModalActions>
        </div>
      </form>
      {question}
    </Modal>
  );
}

/** A toast already announces the server's error, so only our own message is an alert. */
const Failure = ({ sentence, isOurs }: { sentence: string; isOurs: boolean }) => (
  <p className={styles['failure']} role={isOurs ? 'alert' : undefined}>
    {sentence}
  </p>
);

function Segments({ way, onChoose }: { way: Way; onChoose: (way: Way) => void }) {
  const name = useId();
  return (
    <fieldset className={styles['segments']}>
      <legend className="sr-only">What to refund</legend>
      {Object.entries(ways).map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} checked={way === value} onChange={() => onChoose(value as Way)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
