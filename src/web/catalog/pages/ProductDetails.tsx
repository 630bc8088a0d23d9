import type { ReactNode } from 'react';
import { categoryTitle, stockNote } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { toCents } from '../../../shared/money';
import { productFieldNames, productFields, type ProductField } from '../../../shared/productFields';
import { useAddToCart } from '../../cart/queries';
import { HeatDots } from '../core/HeatDots';
import { AsOf } from '../../connection/AsOf';
import { AddToList } from '../../lists/core/AddToList';
import { ActionButton } from '../../ui/ActionButton';
import { Badge } from '../../ui/Badge';
import { Heading } from '../../ui/Heading';
import { Icon } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { Price } from '../../ui/Price';
import { BackLink } from './BackLink';
import styles from './ProductDetails.module.css';
import factStyles from './ProductFacts.module.css';

/** Picture, name, price, the one red button, and the facts below it. */
export function ProductDetails({ product }: { product: Schema<'Product'> }) {
  const { name, picture, availability, productCategory, description } = product;
  return (
    <div className={`wrap ${styles['detail']}`}>
      <div className={styles['back']}>
        <BackLink />
      </div>
      <div className={`${styles['picture']} ${availability ? '' : styles['out']}`}>
        {picture && <Picture picture={picture} sizes="(min-width: 1024px) 620px, 100vw" isFirst />}
      </div>
      <div className={styles['facts']}>
        <p className={styles['category']}>{categoryTitle(productCategory)}</p>
        <Heading as="h1" textStyle="h1" tabIndex={-1}>
          {name}
        </Heading>
        <div className={styles['price']}>
          <Price cents={toCents(product.price)} large />
          <StockBadge product={product} />
          <AsOf />
        </div>
        <p className={`text-lead muted ${styles['description']}`}>{description}</p>
        <Buy product={product} />
        <div className={styles['list']}>
          <AddToList product={product} />
        </div>
        <ProductFacts product={product} />
      </div>
    </div>
  );
}

const stockId = 'stock';

function StockBadge({ product }: { product: Schema<'Product'> }) {
  const note = stockNote(product);
  if (!product.availability) {
    return (
      <span id={stockId}>
        <Badge tone="neutral" hollow>
          {note ?? ''}
        </Badge>
      </span>
    );
  }
  return (
    <>
      <Badge tone="success">Available</Badge>
      {note && <Badge tone="warn">{note}</Badge>}
    </>
  );
}

/** Adds one unit and stays on the page. On a phone, price and button stay above the tab bar. */
function Buy({ product }: { product: Schema<'Product'> }) {
  const { add, isPending } = useAddToCart();
  const isOff = !product.availability;
  return (
    <div className={styles['buy']}>
      <span className={styles['again']} aria-hidden="true">
        <Price cents={toCents(product.price)} />
      </span>
      <ActionButton
        size="lg"
        isBusy={isPending}
        isOff={isOff}
        aria-describedby={isOff ? stockId : undefined}
        onClick={() => add(product)}
      >
        {!isOff && <Icon name="basket" />}
        Add to cart
      </ActionButton>
    </div>
  );
}

/** The product's other facts, from the table of facts; rows without a value are left out. */
function ProductFacts({ product }: { product: Schema<'Product'> }) {
  return (
    <dl className={factStyles['facts']}>
      <Fact name="Category">{categoryTitle(product.productCategory)}</Fact>
      {productFieldNames.map((name) => {
        const { fact } = productFields[name];
        const value = fact && shownFact(product[name as keyof typeof product], fact);
        if (!value) return undefined;
        return (
          <Fact key={name} name={fact.name}>
            {value}
          </Fact>
        );
      })}
    </dl>
  );
}

function shownFact(value: unknown, { isCapitalized, none }: NonNullable<ProductField['fact']>): ReactNode {
  if (typeof value === 'number') return <HeatDots level={value} />;
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (!text || typeof text !== 'string') return none;
  return isCapitalized ? <span className="cap">{text}</span> : text;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
