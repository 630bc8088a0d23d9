import { type CartChange, isCartChange } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { outboxMessages } from '../../shared/outbox';
import { outbox, useRefused } from '../outbox/outbox';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { isAbout } from './lineState';
import { cartOperations } from './operations';
import styles from '../connection/refused.module.css';

/** Rejected changes of products that are not in the cart, for example a product that sold out before it was added. */
export function RefusedChanges({ lines, userId }: { lines: readonly Schema<'CartItem'>[]; userId: string }) {
  const refused = useRefused(userId)
    .filter(isCartChange)
    .filter((entry) => !lines.some(({ productId }) => isAbout(entry, productId)));
  if (refused.length === 0) return null;
  return (
    <ul className={styles['list']}>
      {refused.map((entry) => (
        <li key={entry.key} className={styles['change']} data-review="">
          <span className={styles['name']}>{nameOf(entry)}</span>
          <Badge tone="error">{entry.reason?.message ?? cartOperations[entry.operation].messages.failure}</Badge>
          <RefusedAnswers
            onRetry={() => void outbox.retry(entry.key)}
            onDiscard={() => void outbox.discard(entry.key)}
          />
        </li>
      ))}
    </ul>
  );
}

export function RefusedAnswers({ onRetry, onDiscard }: { onRetry: () => void; onDiscard: () => void }) {
  return (
    <>
      <Button size="sm" variant="outline" className={styles['answer']} onClick={onRetry}>
        {outboxMessages.retry}
      </Button>
      <Button size="sm" variant="ghost" className={styles['answer']} onClick={onDiscard}>
        {outboxMessages.discard}
      </Button>
    </>
  );
}

function nameOf({ operation, input }: CartChange): string | undefined {
  if (operation === 'addCartItem') return input.item.name;
  return operation === 'updateCartItem' ? input.name : undefined;
}
