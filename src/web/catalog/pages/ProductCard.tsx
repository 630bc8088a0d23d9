import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type MouseEvent, useState, useSyncExternalStore } from 'react';
import { stockNote } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { toCents } from '../../../shared/money';
import { netSize, shortSize, sizesInWords, unitPrice } from '../../../shared/unitPrice';
import { loadOnce, useAfterLoad } from '../../ui/afterLoad';
import { Badge } from '../../ui/Badge';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { Price, Was } from '../../ui/Price';
import { useShopFacts } from '../../ui/shopFacts';
import styles from './ProductCard.module.css';

interface Props {
  /** `sizes` if it stands for several. */
  product: Schema<'CardProduct'> & Pick<Schema<'Product'>, 'sizes'>;
  /** In the first view, so its picture is loaded immediately. */
  isFirst?: boolean;
  headingLevel?: 'h2' | 'h3';
}

/**
 * On phones slightly less than the card's actual 43 to 44 %, so that at a pixel ratio of 2 the 320-pixel picture is
 * used, not the 640-pixel one.
 */
const widths = '(min-width: 1200px) 229px, (min-width: 768px) 30vw, 41vw';

const loadParts = loadOnce(() => import('./cardParts')); // two presses stay in their order
const never = () => () => undefined;

/**
 * The name is the link and covers the card. The round plus beside the price is a separate button, which becomes the end of
 * a stepper while the product is in the cart. If the product has several sizes, it opens them.
 * Rules: docs/rules/cart.md, The stepper; docs/rules/catalog.md, Cards
 */
export function ProductCard({ product, isFirst = false, headingLevel: Name = 'h2' }: Props) {
  const { id, name, picture, availability, sizes } = product;
  const { units } = useShopFacts();
  const size = netSize(product, units);
  const cents = toCents(product.price);
  const facts = sizes ? sizesInWords(sizes, units) : size && `${shortSize(size)} · ${unitPrice(cents, product, units)}`;
  const router = useRouter();
  const cache = useQueryClient();
  const parts = useAfterLoad(loadParts);
  const cart = parts?.cartOf(cache);
  const inCart = useSyncExternalStore(
    cart?.subscribe ?? never,
    () => cart?.ofCard(product),
    () => undefined,
  );
  const isFull = inCart && inCart.line.quantity >= inCart.most;
  const note = !(sizes && availability) && stockNote(product);
  const count = sizes && inCart?.line.quantity;
  /** The button while its sizes are open. */
  const [opener, setOpener] = useState<HTMLElement>();
  const press = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (sizes) setOpener(opener ? undefined : currentTarget);
    else if (!isFull) void loadParts().then(({ addOne }) => addOne(router, cache, product));
  };
  return (
    <li className={`${styles['card']} ${availability ? '' : styles['out']}`}>
      <div className={styles['picture']}>
        {picture && <Picture picture={picture} sizes={widths} isFirst={isFirst} isDecoration />}
        {note && (
          <Badge tone={availability ? 'warn' : 'neutral'} hollow={!availability}>
            {note}
          </Badge>
        )}
      </div>
      <div>
        <Name className={styles['name']}>
          <Link to="/customer/view/product/$id" params={{ id }}>
            {name}
          </Link>
        </Name>
        {facts && <p className={`tabular ${styles['size']}`}>{facts}</p>}
      </div>
      <div className={`${styles['buy']} ${inCart ? styles['in'] : ''} ${inCart?.isPending ? styles['pending'] : ''}`}>
        <Was price={product.compareAtPrice} />
        {sizes && <span className="muted">from </span>}
        <Price cents={cents} muted={!availability} />
        {parts && <parts.CardMenu product={product} />}
        <span className={styles['amount']}>
          {parts && inCart && !sizes && <parts.Fewer product={product} inCart={inCart} />}
          {(availability || inCart || sizes) && (
            <button
              type="button"
              className={styles['add']}
              aria-label={
                sizes ? `Choose a size of ${name}${count ? `, ${count} in cart` : ''}` : `Add ${name} to cart`
              }
              aria-disabled={isFull || undefined}
              aria-expanded={sizes && !!opener}
              onClick={press}
            >
              {count ?? <Icon name="plus" />}
            </button>
          )}
        </span>
        {opener && parts && <parts.CardSizes product={product} button={opener} onClose={setOpener} />}
      </div>
    </li>
  );
}

/** A placeholder of the same size while the products load. */
export function ProductCardSkeleton() {
  return (
    <li className={styles['card']}>
      <div className={`${styles['picture']} skeleton`} />
      <div className={`${styles['line']} skeleton`} />
      <div className={styles['buy']}>
        <div className={`${styles['figure']} skeleton`} />
      </div>
    </li>
  );
}
