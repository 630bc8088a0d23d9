import { chakra } from '@chakra-ui/react/styled-system';
import { formatMoney } from '../../shared/money';

/** Dollars with two decimals, in figures of one width. */
export function Price({ cents, large, muted }: { cents: number; large?: boolean; muted?: boolean }) {
  return (
    <chakra.span
      textStyle={large ? 'priceLg' : 'price'}
      fontVariantNumeric="tabular-nums lining-nums"
      color={muted ? 'fg.muted' : undefined}
    >
      {formatMoney(cents)}
    </chakra.span>
  );
}
