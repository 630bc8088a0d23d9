import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../shared/counts';
import { toShip } from '../../../shared/orderUnits';
import styles from '../../ui/Chip.module.css';
import { toShipCountQuery } from './queries';

/** Shows only the orders with something left to ship, and how many there are. */
export function ToShipChip({ isOn, onSwitch }: { isOn: boolean; onSwitch: (isOn: boolean) => void }) {
  const { data: count } = useQuery(toShipCountQuery());
  return (
    <button
      type="button"
      className={`${styles['chip']} ${isOn ? styles['on'] : ''}`}
      aria-pressed={isOn}
      onClick={() => onSwitch(!isOn)}
    >
      {toShip} {count !== undefined && <b>{formatCount(count)}</b>}
    </button>
  );
}
