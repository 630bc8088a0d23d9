import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { changesSince, reorderSays } from '../../shared/reorder';
import { sentenceOf } from '../api/queryClient';
import { OnlineButton } from '../offline/OnlineButton';
import { Button } from '../ui/Button';
import { FailureNotice } from '../ui/FailureNotice';
import { Modal, ModalActions } from '../ui/Modal';
import { Price } from '../ui/Price';
import styles from './ReorderDialog.module.css';
import { reorderQuery, useAddAgain } from './reorderQueries';

interface Props {
  userId: string;
  orderId: string;
  onClose: () => void;
}

/** What ordering the same again would put in the cart, and what is different from then, before anything is added. */
export function ReorderDialog({ userId, orderId, onClose }: Props) {
  const safe = useRef<HTMLButtonElement>(null);
  const { data: lines, error, refetch } = useQuery(reorderQuery(userId, orderId));
  const add = useAddAgain(userId);
  const units = lines?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  return (
    <Modal title="Order again" onClose={onClose} initialFocus={safe}>
      {!lines && error && (
        <FailureNotice sentence={sentenceOf(error, reorderSays.previewReorder.failure)} onRetry={refetch} />
      )}
      {!lines && !error && (
        <div aria-busy="true">
          <output className="sr-only">Loading what can be had now</output>
          <span className={`skeleton ${styles['waiting']}`} />
        </div>
      )}
      {lines && <Lines lines={lines} />}
      <ModalActions>
        <Button ref={safe} variant="outline" onClick={onClose}>
          Cancel
        </Button>
        {lines && units > 0 && (
          <OnlineButton what="Ordering again" isBusy={add.isPending} onClick={() => add.mutate(lines)}>
            {reorderSays.action(units)}
          </OnlineButton>
        )}
      </ModalActions>
    </Modal>
  );
}

function Lines({ lines }: { lines: readonly Schema<'ReorderLine'>[] }) {
  const rows = lines.map((line) => ({ line, changes: changesSince(line) }));
  const intro = () => {
    if (lines.every(({ quantity }) => quantity === 0)) return reorderSays.nothingLeft;
    return rows.some(({ changes }) => changes.length > 0) ? reorderSays.changed : reorderSays.asBefore;
  };
  return (
    <>
      <output className={styles['intro']}>{intro()}</output>
      <ul className={styles['lines']}>
        {rows.map(({ line, changes }) => (
          <li key={line.productId} className={styles['line']}>
            <div>
              <b>{line.productName}</b>
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
