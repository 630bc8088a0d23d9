import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { changesSince, reorderMessages } from '../../shared/reorder';
import { sizeFacts } from '../../shared/sizes';
import { useNameWithSize } from '../catalog/core/useSizeOf';
import { OnlineButton } from '../connection/OnlineButton';
import { ReadFailure } from '../connection/ReadFailure';
import { outbox } from '../outbox/outbox';
import { answer, api } from '../server/client';
import { personalKey } from '../server/queries';
import { Modal, ModalActions } from '../ui/Modal';
import { Price } from '../ui/Price';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Waiting } from '../ui/Waiting';
import styles from './ReorderDialog.module.css';

interface Props {
  userId: string;
  orderId: string;
  onClose: () => void;
}

/** A preview of what reordering would add to the cart, and what has changed since, before anything is added. */
export function ReorderDialog({ userId, orderId, onClose }: Props) {
  const safe = useRef<HTMLButtonElement>(null);
  const read = useQuery(reorderQuery(userId, orderId));
  const { data: lines, error } = read;
  const add = useAddLines(userId);
  const units = lines?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  return (
    <Modal title="Reorder" onClose={onClose} initialFocus={safe}>
      {!lines && error && <ReadFailure read={read} failure={reorderMessages.previewReorder.failure} back={null} />}
      {!lines && !error && (
        <Waiting what="what's available now">
          <SkeletonRows rows={2} />
        </Waiting>
      )}
      {lines && <Lines lines={lines} />}
      <ModalActions onClose={onClose} safe={safe}>
        {lines && units > 0 && (
          <OnlineButton what="reorder" isBusy={add.isPending} onClick={() => add.mutate(lines)}>
            {reorderMessages.action(units)}
          </OnlineButton>
        )}
      </ModalActions>
    </Modal>
  );
}

function Lines({ lines }: { lines: readonly Schema<'ReorderLine'>[] }) {
  const nameOf = useNameWithSize();
  const rows = lines.map((line) => ({ line, changes: changesSince(line) }));
  const intro = () => {
    if (lines.every(({ quantity }) => quantity === 0)) return reorderMessages.nothingLeft;
    return rows.some(({ changes }) => changes.length > 0) ? reorderMessages.changed : reorderMessages.asBefore;
  };
  return (
    <>
      <output className={styles['intro']}>{intro()}</output>
      <ul className={styles['lines']}>
        {rows.map(({ line, changes }) => (
          <li key={line.productId} className={styles['line']}>
            <div>
              <b>{nameOf(line)}</b>
              {line.quantity > 0 && <span className={styles['quantity']}>Quantity: {line.quantity}</span>}
              {changes.map((change) => (
                <span key={change} className={styles['change']}>
                  {change}
                </span>
              ))}
            </div>
            {line.quantity > 0 && <Price cents={toCents(line.currentPrice) * line.quantity} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The order's lines at current prices and stock; refetched each time, since both may have changed. */
const reorderQuery = (userId: string, orderId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'reorder', orderId],
    queryFn: async ({ signal }) => {
      const params = { path: { orderId } };
      return (await answer(api.GET('/public/order/{orderId}/reorder', { params, signal }))).reorder.lines;
    },
    staleTime: 0,
    gcTime: 0,
  });

/**
 * Adds the available lines to the cart through the outbox and opens the cart. Lines that the server still rejects (for
 * example, the stock was sold meanwhile) are shown in the cart with the reason.
 */
function useAddLines(userId: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (lines: readonly Schema<'ReorderLine'>[]) => {
      const sent = await Promise.allSettled(
        lines.filter(({ quantity }) => quantity > 0).map((line) => outbox.send('addCartItem', addition(userId, line))),
      );
      for (const each of sent) if (each.status === 'rejected') throw each.reason;
      return sent.map((each) => each.status === 'fulfilled' && each.value).find((each) => each && each.queued);
    },
    onSettled: () => navigate({ to: '/cart' }),
    meta: reorderMessages.addAll,
  });
}

const addition = (userId: string, line: Schema<'ReorderLine'>) => ({
  userId,
  item: {
    productId: line.productId,
    name: line.productName,
    price: line.currentPrice,
    quantity: line.quantity,
    image: line.imageUrl,
  },
  facts: sizeFacts(line),
});
