import type { Schema } from '../../shared/contract';
import type { IntentChange } from '../../shared/intent';
import { useRemoveLine } from '../cart/removal';
import { useCartChange } from '../cart/useCartChange';
import { useNameWithSize } from '../catalog/core/useSizeOf';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { LaterIcon } from '../ui/LaterIcon';
import { Thumbnail } from '../ui/Thumbnail';
import styles from './SettleList.module.css';

/** The differences from what was shown, each with its actions. */
export function SettleList({ userId, changes }: { userId: string; changes: readonly IntentChange[] }) {
  const nameOf = useNameWithSize();
  return (
    <ul className={`panel ${styles['list']}`}>
      {changes.map((change) => (
        <li key={change.key} className={styles['row']}>
          {change.imageUrl === undefined ? (
            <span className={styles['icon']}>
              <LaterIcon name={change.key === 'delivery' ? 'truck' : 'info'} />
            </span>
          ) : (
            <Thumbnail imageUrl={change.imageUrl} />
          )}
          <div>
            <p className={styles['title']}>{nameOf({ productName: change.title, ...change.sized })}</p>
            <p className={styles['detail']}>{change.detail}</p>
            {change.notice && <Badge tone="warn">{change.notice}</Badge>}
          </div>
          {change.line && <Answers userId={userId} line={change.line} settleAt={change.settleAt} />}
        </li>
      ))}
    </ul>
  );
}

interface AnswersProps {
  userId: string;
  line: Schema<'CartItem'>;
  settleAt: number | undefined;
}

function Answers({ userId, line, settleAt = 0 }: AnswersProps) {
  const update = useCartChange('updateCartItem');
  const remove = useRemoveLine(userId, line);
  const { id: cartItemId } = line;
  const name = useNameWithSize()(line);
  const take = () => update.mutate({ userId, update: { cartItemId, quantity: settleAt }, name });
  return (
    <div className={styles['answers']}>
      {settleAt > 0 && (
        <Button size="sm" variant="outline" aria-label={`Take ${settleAt} of ${name}`} onClick={take}>
          Take {settleAt}
        </Button>
      )}
      <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={remove}>
        Remove
      </Button>
    </div>
  );
}
