import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { isBelowPar, listPageMessages } from '../../../shared/listPages';
import { type ListItem, listMessages, type ProductList } from '../../../shared/lists';
import type { ParSheet } from '../../../shared/orderToPar';
import { ReadFailure } from '../../connection/ReadFailure';
import { Button } from '../../ui/Button';
import { Heading } from '../../ui/Heading';
import chipStyles from '../../ui/Chip.module.css';
import { Icon } from '../../ui/Icon';
import { LaterIcon } from '../../ui/LaterIcon';
import { NotFoundPage } from '../../catalog/core/NotFoundPage';
import { PageTitle } from '../../ui/PageMeta';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Waiting } from '../../ui/Waiting';
import { timeOrDate } from '../../ui/localTime';
import { CountSheet } from './CountSheet';
import styles from './ListPage.module.css';
import { listsQuery } from '../core/listsQuery';
import { ListMenu } from './menu';
import { ParTable } from './ParTable';
import { useLists, useRefusedListChanges } from '../core/queries';
import { RefusedLists } from './RefusedLists';
import { OrderBar, ToOrder } from './ToOrder';
import { type OrderToPar as OrderToParState, useOrderToPar } from './useOrderToPar';
import { useShelfOrder } from './useShelfOrder';
import { lazyPart } from '../../ui/lazyPart';

const OrderToPar = lazyPart(() => import('./OrderToPar'), 'OrderToPar');
const AddProducts = lazyPart(() => import('./AddProducts'), 'AddProducts');

const route = getRouteApi('/shop/signed-in/customer/lists/$listId');

/** One list: par, count, and what to order. Rule: docs/rules/kitchen.md, Screens */
export function ListPage() {
  const { user } = route.useRouteContext();
  const { listId } = route.useParams();
  const read = useQuery(listsQuery(user.id));
  const lists = useLists(user.id);
  const refused = useRefusedListChanges(user.id, listId);
  const list = lists?.find(({ id }) => id === listId);
  if (list && lists) return <Sheet key={listId} userId={user.id} list={list} lists={lists} />;
  if (lists && refused.length === 0) return <NotFoundPage />;
  return (
    <div className="wrap">
      <BackToLists />
      <h1 className={lists ? `heading text-h1 ${styles['gone']}` : 'sr-only'} tabIndex={-1}>
        {refused[0]?.listName || 'List'}
      </h1>
      {lists && <RefusedLists refused={refused} lists={lists} />}
      {!lists && read.error && <ReadFailure read={read} failure={listMessages.listLists.failure} />}
      {!lists && !read.error && (
        <Waiting what="the list">
          <SkeletonRows rows={5} />
        </Waiting>
      )}
    </div>
  );
}

function BackToLists() {
  return (
    <Link to="/customer/lists" className={styles['back']}>
      <Icon name="left" /> {listPageMessages.title}
    </Link>
  );
}

interface SheetProps {
  userId: string;
  list: ProductList;
  lists: readonly ProductList[];
}

function Sheet({ userId, list: saved, lists }: SheetProps) {
  const { list, setOrder } = useShelfOrder(userId, saved);
  const navigate = useNavigate();
  const order = useOrderToPar(userId, list.id, () => void navigate({ to: '/cart' }));
  const refused = useRefusedListChanges(userId, list.id);
  const view = useView(list.items, order.sheet);
  const { panel, open, close } = usePanel();
  if (panel === 'count-sheet') {
    return (
      <div className="wrap">
        <CountSheet list={list} products={order.sheet && order.products} onClose={close} />
      </div>
    );
  }
  return (
    <div className={`wrap ${styles['page']}`}>
      <PageTitle>{list.name}</PageTitle>
      <BackToLists />
      <div className={styles['head']}>
        <Heading as="h1" textStyle="h1" tabIndex={-1} className={styles['name'] ?? ''}>
          {list.name}
        </Heading>
        <ListMenu
          userId={userId}
          list={list}
          lists={lists}
          onDelete={() => void navigate({ to: '/customer/lists' })}
          className={styles['menu']}
        >
          <LaterIcon name="dots" />
          <span className="sr-only">{listPageMessages.actionsFor(list.name)}</span>
        </ListMenu>
      </div>
      <p className={`muted tabular ${styles['about']}`}>{about(list.items)}</p>
      <RefusedLists refused={refused} lists={lists} />
      <div className={styles['split']}>
        <Products
          userId={userId}
          list={list}
          order={order}
          view={view}
          onAdd={() => open('add-products')}
          onOrder={setOrder}
        />
        {list.items.length > 0 && <ToOrder list={list} order={order} onOrder={() => open('order-to-par')} />}
      </div>
      {list.items.length > 0 && <OrderBar list={list} order={order} onOrder={() => open('order-to-par')} />}
      <Suspense>
        {panel === 'order-to-par' && <OrderToPar list={list} order={order} onClose={close} />}
        {panel === 'add-products' && (
          <AddProducts userId={userId} list={list} onAdd={() => view.choose('all')} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}

/** The open panel is in the URL's hash: a card links to it, and Back closes it. */
function usePanel() {
  const navigate = useNavigate();
  const panel = useLocation({ select: ({ hash }) => hash });
  const to = (hash: string, replace = false) => void navigate({ to: '.', hash, replace, resetScroll: false });
  return { panel, open: (hash: string) => to(hash), close: () => to('', true) };
}

/** '40 products · Counted today, 8:12 AM' */
function about(items: readonly ListItem[]): string {
  const counted = items.flatMap(({ countedAt }) => countedAt ?? []).toSorted();
  const last = counted.at(-1);
  return `${listPageMessages.products(items.length)}${last ? ` · Counted ${timeOrDate(last)}` : ''}`;
}

interface ProductsProps {
  userId: string;
  list: ProductList;
  order: OrderToParState;
  view: ReturnType<typeof useView>;
  onAdd: () => void;
  onOrder: (productIds: readonly string[]) => void;
}

function Products({ userId, list, order, view: { shown, current, choose, toOrder }, onAdd, onOrder }: ProductsProps) {
  const [sorting, setSorting] = useState<Sorting>('shelf');
  const sorted = sorting === 'shelf' ? shown : shown.toSorted(comparisons[sorting](order.products));
  const chip = (name: View, label: string) => (
    <button
      type="button"
      className={`${chipStyles['chip']} ${current === name ? chipStyles['on'] : ''}`}
      aria-pressed={current === name}
      onClick={() => choose(name)}
    >
      {label}
    </button>
  );
  return (
    <section aria-label="Products">
      <div className={styles['tools']}>
        <fieldset className={styles['chips']} aria-label="Show">
          {chip('all', `All ${list.items.length}`)}
          {chip('toOrder', listPageMessages.toOrder(toOrder))}
          <label className={styles['sort']}>
            <span className="sr-only">Sort by</span>
            <select
              className={chipStyles['chip']}
              value={sorting}
              onChange={({ target }) => setSorting(target.value as Sorting)}
            >
              {Object.entries(sortings).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
            <Icon name="chevronDown" size={16} />
          </label>
        </fieldset>
        <Button variant="outline" onClick={onAdd}>
          <Icon name="plus" />
          {listPageMessages.addProducts}
        </Button>
      </div>
      {list.items.length === 0 && <p className={styles['none']}>{listPageMessages.emptyList}</p>}
      {list.items.length > 0 && shown.length === 0 && (
        <p className={styles['none']}>{listPageMessages.nothingToOrder}</p>
      )}
      {shown.length > 0 && (
        <ParTable
          userId={userId}
          list={list}
          items={sorted}
          order={order}
          onOrder={current === 'all' && sorting === 'shelf' ? onOrder : undefined}
        />
      )}
    </section>
  );
}

type View = 'all' | 'toOrder';

/**
 * Starts with the items to order: the same that the summary and the order have. A row that reaches par while it is
 * edited stays until the view is chosen again.
 */
function useView(items: readonly ListItem[], sheet: ParSheet | undefined) {
  const packs = sheet && new Map(sheet.rows.map((row) => [row.productId, row.packs]));
  const isToOrder = (item: ListItem) => (packs ? (packs.get(item.productId) ?? 0) > 0 : isBelowPar(item));
  const toOrder = items.filter(isToOrder);
  const idsOf = (rows: readonly ListItem[]) => new Set(rows.map(({ productId }) => productId));
  const pinnedTo = (view: View) => ({ current: view, pinned: idsOf(toOrder) });
  const [choice, setChoice] = useState(() => pinnedTo(toOrder.length > 0 ? 'toOrder' : 'all'));
  const { current, pinned } = choice;
  const shown = current === 'all' ? items : items.filter((item) => isToOrder(item) || pinned.has(item.productId));
  return { current, choose: (next: View) => setChoice(pinnedTo(next)), shown, toOrder: toOrder.length };
}

const sortings = { shelf: 'Shelf order', name: 'A to Z', category: 'Category' } as const;
type Sorting = keyof typeof sortings;
type Compare = (products: OrderToParState['products']) => (one: ListItem, other: ListItem) => number;

const byName: Compare = (products) => (one, other) =>
  (products.get(one.productId)?.name ?? '').localeCompare(products.get(other.productId)?.name ?? '');
const comparisons: Record<Exclude<Sorting, 'shelf'>, Compare> = {
  name: byName,
  category: (products) => (one, other) => {
    const title = ({ productId }: ListItem) => products.get(productId)?.productCategory.title ?? '';
    return title(one).localeCompare(title(other)) || byName(products)(one, other);
  },
};
