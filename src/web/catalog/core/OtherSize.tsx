import { formatMoney, toCents } from '../../../shared/money';
import { insteadMessages } from '../../../shared/sizeInstead';
import type { Sized } from '../../../shared/sizes';
import { shortSize } from '../../../shared/unitPrice';
import { Button } from '../../ui/Button';
import styles from './OtherSize.module.css';
import { useNameWithSize, useSizeOf } from './useSizeOf';

interface Props {
  gone: Parameters<ReturnType<typeof useNameWithSize>>[0];
  /** False if it is no longer sold. */
  isSoldOut: boolean;
  /** Its price is in dollars. */
  other: Sized & { name: string; price: number };
  isTaken: boolean;
  onToggle: () => void;
}

/** Offers another size, with its price. Nothing is added without a press. Rule: docs/rules/catalog.md, Sizes */
export function OtherSize({ gone, isSoldOut, other, isTaken, onToggle }: Props) {
  const nameOf = useNameWithSize();
  const sizeOf = useSizeOf();
  const size = shortSize(sizeOf(other)) ?? other.name;
  return (
    <span className={styles['offer']}>
      {insteadMessages.question({ gone: nameOf(gone), other: size, isSoldOut })}
      <Button size="sm" variant="outline" aria-pressed={isTaken} onClick={onToggle}>
        {isTaken ? insteadMessages.leaveOut(size) : insteadMessages.add(size, formatMoney(toCents(other.price)))}
      </Button>
    </span>
  );
}
