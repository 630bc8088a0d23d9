import { freeDelivery, freeDeliveryMessages } from '../../shared/freeDelivery';
import { formatMoney } from '../../shared/money';
import { LaterIcon } from '../ui/LaterIcon';
import styles from './FreeDelivery.module.css';

interface Props {
  goodsCents: number;
  freeFromCents: number | null;
}

/** How much is missing for free delivery, from half of the amount on. */
export function FreeDelivery({ goodsCents, freeFromCents }: Props) {
  const state = freeDelivery(goodsCents, freeFromCents);
  if (!state) return null;
  return (
    <div className={styles['bar']}>
      <p>
        <LaterIcon name="truck" />
        {state.leftCents === 0 && freeDeliveryMessages.isFree}
        {state.leftCents > 0 && (
          <span>
            Add <b className="tabular">{formatMoney(state.leftCents)}</b> for free delivery
          </span>
        )}
      </p>
      <span className={styles['meter']} aria-hidden="true">
        <span style={{ width: `${state.share * 100}%` }} />
      </span>
    </div>
  );
}
