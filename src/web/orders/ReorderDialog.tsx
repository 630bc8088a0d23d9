import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { CartChanges } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { changesSince, reorderMessages } from '../../shared/reorder';
import { sizeFacts } from '../../shared/sizes';
import { OtherSize } from '../catalog/core/OtherSize';
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
  const add = useAddLines();
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const toggle = (productId: string) =>
    setAccepted((before) => {
      const next = new Set(before);
      if (!next.delete(productId)) next.add(productId);
      return next;
    });
  const additions = (lines ?? []).flatMap((line) => additionsOf(userId, line, accepted));
  const units = additions.reduce((sum, { item }) => sum + item.quantity, 0);
  return (
    <Modal title="Reorder" onClose={onClose} initialFocus={safe}>
      {!lines && error && <ReadFailure read={read} failure={reorderMessages.previewReorder.failure} back={null} />}
      {!lines && !error && (
        <Waiting what="what's available now">
          <SkeletonRows rows={2} />
        </Waiting>
      )}
      {lines && <Lines lines={lines} accepted={accepted} onToggle={toggle} />}
      <ModalActions onClose={onClose} safe={safe}>
        {lines && units > 0 && (
          <OnlineButton what="reorder" isBusy={add.isPending} onClick={() => add.mutate(additions)}>
            {reorderMessages.action(units)}
          </OnlineButton>
        )}
      </ModalActions>
    </Modal>
  );
}

interface LinesProps {
  lines: readonly Schema<'ReorderLine'>[];
  /** The products in whose place the customer takes another size. */
  accepted: ReadonlySet<string>;
  onToggle: (productId: string) => void;
}

function Lines({ lines, accepted, onToggle }: LinesProps) {
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
              {line.instead && (
                <OtherSize
                  gone={line}
                  isSoldOut={line.notice === 'out_of_stock'}
                  other={{ ...line.instead, name: line.instead.productName }}
                  isTaken={accepted.has(line.productId)}
                  onToggle={() => onToggle(line.productId)}
                />
              )}
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
function useAddLines() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (additions: readonly Addition[]) => {
      const sent = await Promise.allSettled(additions.map((addition) => outbox.send('addCartItem', addition)));
      for (const each of sent) if (each.status === 'rejected') throw each.reason;
      return sent.map((each) => each.status === 'fulfilled' && each.value).find((each) => each && each.queued);
    },
    onSettled: () => navigate({ to: '/cart' }),
    meta: reorderMessages.addAll,
  });
}

type Addition = CartChanges['addCartItem'];

/** @returns the line as far as it is available, or one unit of the size that was taken in its place */
function additionsOf(userId: string, line: Schema<'ReorderLine'>, accepted: ReadonlySet<string>): Addition[] {
  const { productId, productName: name, currentPrice: price, quantity, imageUrl: image, instead } = line;
  if (quantity > 0) return [{ userId, item: { productId, name, price, quantity, image }, facts: sizeFacts(line) }];
  if (!instead || !accepted.has(productId)) return [];
  const { productId: otherId, productName, imageUrl, price: otherPrice } = instead;
  const item = { productId: otherId, name: productName, price: otherPrice, quantity: 1, image: imageUrl };
  return [{ userId, item, facts: sizeFacts(instead) }];
}
