import { queryOptions, useQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useRef, useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { listPageMessages } from '../../../shared/listPages';
import { shortSize } from '../../../shared/unitPrice';
import { listErrorMessages, listLimits, type ProductList } from '../../../shared/lists';
import { formatMoney, toCents } from '../../../shared/money';
import { fold, wordsOf } from '../../../shared/search';
import { catalogMessages } from '../../../shared/catalog';
import { useSizeOf } from '../../catalog/core/useSizeOf';
import { ReadFailure } from '../../connection/ReadFailure';
import { SearchField } from '../../search/SearchField';
import { answer, api } from '../../server/client';
import { ActionButton } from '../../ui/ActionButton';
import { Button } from '../../ui/Button';
import { Drawer } from '../../ui/Drawer';
import { Heading } from '../../ui/Heading';
import { Icon } from '../../ui/Icon';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Thumbnail } from '../../ui/Thumbnail';
import { Waiting } from '../../ui/Waiting';
import { addToList } from '../core/changeLists';
import styles from './AddProducts.module.css';
import { useOrderedBefore } from './latestOrders';

type Product = Schema<'Product'>;

interface Props {
  userId: string;
  list: ProductList;
  /** Called when products were added, before it closes. */
  onAdd: () => void;
  onClose: () => void;
}

/** The whole catalog by category: ticked products are put on the list together, with or without a connection. */
export function AddProducts({ userId, list, onAdd, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState('');
  const [isOrderedOnly, setOrderedOnly] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const read = useQuery(allProductsQuery);
  const ordered = useOrderedBefore(userId);
  const listed = new Set(list.items.map(({ productId }) => productId));
  const products = read.data ?? [];
  const orderedBefore = products.filter(({ id }) => ordered.has(id));
  const words = wordsOf(useDeferredValue(filter));
  const shown = (isOrderedOnly ? orderedBefore : products).filter((product) => matches(product, words));
  const room = listLimits.items - list.items.length - ticked.size;
  const tick = (ids: readonly string[], isOn: boolean) =>
    // memoized rows keep their first callback
    setTicked((before) => {
      const next = new Set(before);
      for (const id of ids) {
        if (!isOn) next.delete(id);
        else if (list.items.length + next.size < listLimits.items) next.add(id);
      }
      return next;
    });
  const add = () => {
    const chosen = products.filter(({ id }) => ticked.has(id));
    // a rejected one is shown above the list, with Put back and Discard
    for (const { id, name } of chosen) void addToList(userId, { list, product: { id, name } }).catch(() => undefined);
    onAdd();
    onClose();
  };
  const foot = (
    <div className={styles['foot']}>
      <output className="muted tabular">
        {listPageMessages.selected(ticked.size)}
        {room === 0 && ` · ${listErrorMessages.list_full}`}
      </output>
      <ActionButton size="lg" isOff={ticked.size === 0} onClick={add}>
        {ticked.size === 0 ? listPageMessages.addProducts : listPageMessages.addSelected(ticked.size)}
      </ActionButton>
    </div>
  );
  return (
    <Drawer
      title={listPageMessages.addProducts}
      onClose={onClose}
      foot={foot}
      initialFocus={hasKeyboard() ? field : undefined}
    >
      <SearchField
        ref={field}
        aria-label={listPageMessages.filterByName}
        placeholder={listPageMessages.filterByName}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {orderedBefore.length > 0 && (
        <fieldset className={styles['choice']} aria-label="Show">
          <button type="button" aria-pressed={!isOrderedOnly} onClick={() => setOrderedOnly(false)}>
            All {products.length}
          </button>
          <button type="button" aria-pressed={isOrderedOnly} onClick={() => setOrderedOnly(true)}>
            {listPageMessages.orderedBefore(orderedBefore.length)}
          </button>
        </fieldset>
      )}
      {read.error && !read.data && (
        <ReadFailure read={read} failure={catalogMessages.listProducts.failure} back={null} />
      )}
      {read.isPending && (
        <Waiting what="the products">
          <SkeletonRows rows={5} />
        </Waiting>
      )}
      <Categories products={shown} listed={listed} ticked={ticked} isFull={room === 0} onTick={tick} />
      <output className="muted">
        {read.data && shown.length === 0 && words.length > 0 ? listPageMessages.noMatches(filter.trim()) : ''}
      </output>
    </Drawer>
  );
}

/** The list of a thousand products is ticked, not typed: a phone's keyboard would cover it. */
const hasKeyboard = () => matchMedia('(min-width: 768px) and (hover: hover)').matches;

const pageSize = 100;

/** All products that are sold, from the device; without its catalog, from the server. */
const allProductsQuery = queryOptions({
  queryKey: ['products', 'all'],
  queryFn: async ({ signal }): Promise<readonly Product[]> => {
    const onDevice = await import('../../catalog/core/onDevice')
      .then((device) => device.soldProducts())
      .catch(() => undefined);
    return onDevice?.data ?? readAllProducts(signal);
  },
});

async function readAllProducts(signal: AbortSignal): Promise<Product[]> {
  const all: Product[] = [];
  for (let [page, pages] = [0, 1]; page < pages; page += 1) {
    const params = { query: { page, size: pageSize } };
    // one page after the other: they are few, and the server says how many
    const { products } = await answer(api.GET('/public/products', { params, signal }));
    all.push(...products.content);
    pages = products.totalPages;
  }
  return all;
}

const matches = ({ name, otherNames }: Product, words: readonly string[]): boolean => {
  if (words.length === 0) return true;
  const names = fold([name, ...otherNames].join(' '));
  return words.every((word) => names.includes(word));
};

interface CategoriesProps {
  products: readonly Product[];
  listed: ReadonlySet<string>;
  ticked: ReadonlySet<string>;
  /** Whether the list has no room for one more. */
  isFull: boolean;
  onTick: (productIds: readonly string[], isOn: boolean) => void;
}

function Categories({ products, listed, ticked, isFull, onTick }: CategoriesProps) {
  const categories = new Map<string, Product[]>();
  for (const product of products) {
    const ofCategory = categories.get(product.productCategory.id);
    if (ofCategory) ofCategory.push(product);
    else categories.set(product.productCategory.id, [product]);
  }
  return [...categories.values()].map((ofCategory) => {
    const [{ productCategory }] = ofCategory as [Product];
    const title = productCategory.title ?? productCategory.name;
    const open = ofCategory.filter(({ id }) => !listed.has(id)).map(({ id }) => id);
    const isAll = open.length > 0 && open.every((id) => ticked.has(id));
    return (
      <section key={productCategory.id} aria-label={title} className={styles['category']}>
        <div className={styles['head']}>
          <Heading as="h3" textStyle="h3">
            {title}
          </Heading>
          <span className="muted tabular">{listPageMessages.products(ofCategory.length)}</span>
          {open.length > 0 && (
            <Button
              variant="ghost"
              size="sm"
              aria-label={`${isAll ? listPageMessages.selectNone : listPageMessages.selectAll}: ${title}`}
              onClick={() => onTick(open, !isAll)}
            >
              {isAll ? listPageMessages.selectNone : listPageMessages.selectAll}
            </Button>
          )}
        </div>
        {ofCategory.map((product) => {
          const isListed = listed.has(product.id);
          const isTicked = ticked.has(product.id);
          return (
            <Tick
              key={product.id}
              product={product}
              state={isListed ? 'listed' : isTicked ? 'ticked' : isFull ? 'full' : 'open'}
              onTick={onTick}
            />
          );
        })}
      </section>
    );
  });
}

interface TickProps {
  product: Product;
  state: 'listed' | 'ticked' | 'open' | 'full';
  onTick: CategoriesProps['onTick'];
}

/** A press renders one row, not the whole catalog. */
const Tick = memo(TickRow, (before, next) => before.product === next.product && before.state === next.state);

function TickRow({ product, state, onTick }: TickProps) {
  const { id, name, imageUrl, price } = product;
  const size = useSizeOf()(product);
  const isListed = state === 'listed';
  const isOn = isListed || state === 'ticked';
  return (
    <label className={`${styles['row']} ${isListed ? styles['dull'] : ''}`}>
      <input
        type="checkbox"
        className="sr-only"
        checked={isOn}
        disabled={isListed || state === 'full'}
        onChange={() => onTick([id], !isOn)}
      />
      <span className={styles['mark']}>{isOn && <Icon name="check" size={15} />}</span>
      <Thumbnail imageUrl={imageUrl} />
      <span>
        <span className={styles['name']}>{name}</span>
        <span className={`muted tabular ${styles['about']}`}>
          {[shortSize(size), formatMoney(toCents(price))].filter(Boolean).join(' · ')}
        </span>
      </span>
      {isListed && <span className={`muted ${styles['about']}`}>{listPageMessages.onThisList}</span>}
    </label>
  );
}
