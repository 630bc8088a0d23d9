import { listPageMessages } from '../../../shared/listPages';
import type { ProductList } from '../../../shared/lists';
import { formatMoney } from '../../../shared/money';
import { isGone } from '../../../shared/orderToPar';
import { useAsOf } from '../../connection/AsOf';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Heading } from '../../ui/Heading';
import { timeOrDate } from '../../ui/localTime';
import { TotalLines } from '../../ui/TotalLines';
import styles from './ToOrder.module.css';
import type { OrderToPar } from './useOrderToPar';

interface Props {
  list: ProductList;
  order: OrderToPar;
  onOrder: () => void;
}

/** A summary of what one press would order, with the two actions; on a phone these are in the bottom bar. */
export function ToOrder({ list, order, onOrder }: Props) {
  const { sheet, choice } = order;
  const rows = sheet?.rows ?? [];
  const figures = [
    ['Products', rows.filter(({ packs }) => packs > 0).length],
    ['Packs', sheet?.packs ?? 0],
    ['In cart', rows.reduce((sum, { inCart }) => sum + inCart, 0)],
    ['On the way', rows.reduce((sum, { onItsWay }) => sum + onItsWay, 0)],
    ['Out of stock', rows.filter(isGone).length],
  ] as const;
  const isSubtracted = !choice.leavesOutCart && !choice.leavesOutOnItsWay;
  const asOf = useAsOf();
  return (
    <aside className={`panel ${styles['panel']}`} aria-label="To order">
      <div>
        <Heading as="h2" textStyle="h3">
          To order
        </Heading>
        <TotalLines
          lines={figures.map(([label, figure]) => ({ label, text: String(figure) }))}
          grand={{ label: 'Subtotal', text: formatMoney(sheet?.sumCents ?? 0) }}
          isBusy={sheet === undefined}
        />
      </div>
      <div className={styles['ways']}>
        <Actions list={list} order={order} onOrder={onOrder} />
      </div>
      <p className={`muted ${styles['note']}`}>
        {listPageMessages.rounded} {isSubtracted && listPageMessages.subtracted}{' '}
        {asOf !== undefined && `Prices as of ${timeOrDate(asOf)}.`}
      </p>
    </aside>
  );
}

export function OrderBar({ list, order, onOrder }: Props) {
  return (
    <div className={styles['bar']} data-bar="">
      <Actions list={list} order={order} onOrder={onOrder} hasSum />
    </div>
  );
}

/**
 * Count is the primary button until something is counted. Once all missing packs are in the cart, the other one leads
 * there.
 */
function Actions({ list, order: { sheet }, onOrder, hasSum = false }: Props & { hasSum?: boolean }) {
  const isCounted = list.items.some(({ onHand }) => onHand !== null);
  const isInCart = sheet?.packs === 0 && sheet.rows.some(({ inCart, par }) => inCart > 0 && par !== null);
  const [main, other] = isCounted ? (['solid', 'outline'] as const) : (['outline', 'solid'] as const);
  const count = (
    <ButtonLink to="/customer/lists/$listId/count" params={{ listId: list.id }} size="lg" variant={other}>
      {listPageMessages.count}
    </ButtonLink>
  );
  const orderOrCart =
    isCounted && isInCart ? (
      <ButtonLink to="/cart" size="lg">
        {listPageMessages.viewCart}
      </ButtonLink>
    ) : (
      <Button size="lg" variant={main} onClick={onOrder}>
        {listPageMessages.orderToPar}
        {hasSum && isCounted && <span className="tabular">{` ${formatMoney(sheet?.sumCents ?? 0)}`}</span>}
      </Button>
    );
  // the primary button is on the right in the phone's bar and on top in the panel
  const isOrderFirst = isCounted !== hasSum;
  return (
    <>
      {isOrderFirst ? orderOrCart : count}
      {isOrderFirst ? count : orderOrCart}
    </>
  );
}
