import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Schema } from '../../../shared/contract';
import { isBelowPar, listPageMessages } from '../../../shared/listPages';
import type { ProductList } from '../../../shared/lists';
import { type ParRow, parSheet } from '../../../shared/orderToPar';
import { buttonClass } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { ActionButton } from '../../ui/ActionButton';
import { focusBeside } from '../../ui/focusBeside';
import { Heading } from '../../ui/Heading';
import { LaterIcon } from '../../ui/LaterIcon';
import { Thumbnail } from '../../ui/Thumbnail';
import { timeOrDate } from '../../ui/localTime';
import styles from './ListCard.module.css';
import { ListMenu } from './menu';
import { useProducts } from './products';
import { useAdding } from './useOrderToPar';

const pictures = 4;

interface Props {
  userId: string;
  list: ProductList;
  lists: readonly ProductList[];
}

/** The whole card is the link; its menu and its actions lie on top of it. */
export function ListCard({ userId, list, lists }: Props) {
  const card = useRef<HTMLLIElement>(null);
  const { id: listId, name, items, changedAt } = list;
  const isParSheet = items.some(({ par }) => par !== null);
  const shown = items.slice(0, pictures).map(({ productId }) => productId);
  const { products } = useProducts(shown);
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['head']}>
        <div>
          <Heading as="h2" textStyle="h2" className={styles['name'] ?? ''}>
            <Link to="/customer/lists/$listId" params={{ listId }}>
              {name}
            </Link>
          </Heading>
          <p className="muted tabular">
            {listPageMessages.products(items.length)}
            {isParSheet && ` · ${listPageMessages.belowPar(items.filter(isBelowPar).length)}`}
          </p>
        </div>
        <ListMenu
          userId={userId}
          list={list}
          lists={lists}
          onDelete={() => focusBeside(card.current)}
          className={styles['menu']}
        >
          <LaterIcon name="dots" />
          <span className="sr-only">{listPageMessages.actionsFor(name)}</span>
        </ListMenu>
      </div>
      {items.length > 0 && (
        <div className={styles['pictures']} aria-hidden="true">
          {shown.map((id) => (
            <Thumbnail key={id} imageUrl={products.get(id)?.imageUrl ?? null} />
          ))}
          {items.length > pictures && <span className={`tabular ${styles['more']}`}>+{items.length - pictures}</span>}
        </div>
      )}
      <p className={`tabular ${styles['when']}`}>Updated {timeOrDate(changedAt)}</p>
      <div className={styles['actions']}>
        {isParSheet || items.length === 0 ? <Ways listId={listId} isEmpty={items.length === 0} /> : null}
        {!isParSheet && items.length > 0 && <AddAll userId={userId} list={list} />}
      </div>
    </li>
  );
}

function Ways({ listId, isEmpty }: { listId: string; isEmpty: boolean }) {
  if (isEmpty) {
    return (
      <Link
        to="/customer/lists/$listId"
        params={{ listId }}
        hash="add-products"
        className={buttonClass({ variant: 'ghost' })}
      >
        {listPageMessages.addProducts}
      </Link>
    );
  }
  return (
    <>
      <ButtonLink to="/customer/lists/$listId/count" params={{ listId }} variant="ghost">
        {listPageMessages.count}
      </ButtonLink>
      <ButtonLink to="/customer/lists/$listId" params={{ listId }} hash="order-to-par" variant="ghost">
        {listPageMessages.orderToPar}
      </ButtonLink>
    </>
  );
}

/** A list without pars is a shopping list: one pack of each. */
function AddAll({ userId, list }: { userId: string; list: ProductList }) {
  const { products, isKnown } = useProducts(list.items.map(({ productId }) => productId));
  const navigate = useNavigate();
  const { add, isAdding } = useAdding({
    userId,
    products,
    showCart: () => void navigate({ to: '/cart' }),
  });
  return (
    <ActionButton variant="ghost" isBusy={isAdding} isOff={!isKnown} onClick={() => add(oneOfEach(list, products))}>
      {listPageMessages.addAll}
    </ActionButton>
  );
}

function oneOfEach({ items }: ProductList, products: ReadonlyMap<string, Schema<'Product'>>): readonly ParRow[] {
  const wanted = items.map((item) => ({ ...item, par: 1, onHand: 0 }));
  return parSheet({ items: wanted, inCart: new Map(), onItsWay: new Map(), products }).rows;
}
