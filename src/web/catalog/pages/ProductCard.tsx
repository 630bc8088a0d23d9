import { Link } from '@tanstack/react-router';
import type { Schema } from '../../../shared/contract';
import { toCents } from '../../../shared/money';
import { useAddToCart } from '../../cart/queries';
import { useAfterLoad } from '../../ui/afterLoad';
import { Badge } from '../../ui/Badge';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { Price } from '../../ui/Price';
import styles from './ProductCard.module.css';

interface Props {
  product: Schema<'Product'>;
  /** In the first view, so its picture is loaded immediately. */
  isFirst?: boolean;
  headingLevel?: 'h2' | 'h3';
}

/**
 * On phones slightly less than the card's actual 43 to 44 %, so that at a pixel ratio of 2 the 320-pixel picture is
 * used, not the 640-pixel one.
 */
const sizes = '(min-width: 1200px) 229px, (min-width: 768px) 30vw, 41vw';

const loadMenu = () => import('../../lists/core/AddToList');

/** The name is the link and covers the card; the round plus beside the price is a separate button. */
export function ProductCard({ product, isFirst = false, headingLevel: Name = 'h2' }: Props) {
  const { add } = useAddToCart();
  const more = useAfterLoad(loadMenu);
  const { id, name, picture, availability } = product;
  return (
    <li className={`${styles['card']} ${availability ? '' : styles['out']}`}>
      <div className={styles['picture']}>
        {picture && <Picture picture={picture} sizes={sizes} isFirst={isFirst} isDecoration />}
        {!availability && (
          <Badge tone="neutral" hollow>
            Out of Stock
          </Badge>
        )}
      </div>
      <Name className={styles['name']}>
        <Link to="/customer/view/product/$id" params={{ id }}>
          {name}
        </Link>
      </Name>
      <div className={styles['buy']}>
        <Price cents={toCents(product.price)} muted={!availability} />
        {more && <more.CardMenu product={product} />}
        {availability && (
          <button
            type="button"
            className={styles['add']}
            aria-label={`Add ${name} to cart`}
            onClick={() => add(product)}
          >
            <Icon name="plus" />
          </button>
        )}
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
