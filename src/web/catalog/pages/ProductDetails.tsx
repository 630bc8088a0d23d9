import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, type Ref, useRef } from 'react';
import { cartMessages, inYourCart } from '../../../shared/cartMessages';
import { categoryTitle, onlyLeft, stockNote } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { formatMoney, toCents } from '../../../shared/money';
import { unitPrice } from '../../../shared/unitPrice';
import { productFieldNames, productFields, type ProductField } from '../../../shared/productFields';
import { type LineInCart, useLineInCart } from '../../cart/lineInCart';
import { addOne, closeCartToast, takeOne } from '../../cart/press';
import { useRemoveLine } from '../../cart/removal';
import { factInWords } from '../../../shared/productTexts';
import { Heat } from '../core/HeatDots';
import { useSizeOf } from '../core/useSizeOf';
import { AsOf } from '../../connection/AsOf';
import { AddToList } from '../../lists/core/AddToList';
import { ActionButton } from '../../ui/ActionButton';
import { Badge } from '../../ui/Badge';
import { ButtonLink } from '../../ui/ButtonLink';
import { Heading } from '../../ui/Heading';
import { Icon } from '../../ui/Icon';
import { LaterIcon } from '../../ui/LaterIcon';
import { Picture } from '../../ui/Picture';
import { Price, UnitPrice, Was } from '../../ui/Price';
import { useShopFacts } from '../../ui/shopFacts';
import { QuantityStepper } from '../../ui/QuantityStepper';
import { BackLink } from './BackLink';
import { PhotoGallery } from './PhotoGallery';
import { SizeChips } from './SizeChips';
import styles from './ProductDetails.module.css';
import factStyles from './ProductFacts.module.css';

/** Longer names step down in size on a phone. */
const longName = 40;
const pictureSizes = '(min-width: 1024px) 620px, 100vw';

/** Picture, name, price, the one red button, and the facts below it. */
export function ProductDetails({ product }: { product: Schema<'Product'> }) {
  const { name, picture, photos, availability, description } = product;
  const frame = `${styles['picture']} ${availability ? '' : styles['out']}`;
  const { units } = useShopFacts();
  const cents = toCents(product.price);
  return (
    <div className={`wrap ${styles['detail']}`}>
      <div className={styles['back']}>
        <BackLink />
      </div>
      {photos ? (
        <PhotoGallery key={product.id} photos={photos} sizes={pictureSizes} className={frame} />
      ) : (
        <div className={frame}>{picture && <Picture picture={picture} sizes={pictureSizes} isFirst />}</div>
      )}
      <div className={styles['facts']}>
        <Heading as="h1" textStyle="h1" tabIndex={-1} className={name.length > longName ? styles['long'] : ''}>
          {name}
        </Heading>
        <div className={styles['price']}>
          <Price cents={cents} large />
          <Was price={product.compareAtPrice} />
          <UnitPrice>{unitPrice(cents, product, units)}</UnitPrice>
          <StockBadge product={product} />
          <AsOf />
        </div>
        <p className={`text-lead muted ${styles['description']}`}>{description}</p>
        {product.sizes && <SizeChips id={product.id} sizes={product.sizes} />}
        <div className={styles['ways']}>
          <Buy key={product.id} product={product} />
          <div className={styles['list']}>
            <AddToList product={{ id: product.id, name }} />
          </div>
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

/**
 * Adds one unit and stays on the page; once the product is in the cart, a stepper and the way there. On a phone, all of
 * it stays above the tab bar. Rule: docs/rules/cart.md, The stepper
 */
function Buy({ product }: { product: Schema<'Product'> }) {
  const router = useRouter();
  const cache = useQueryClient();
  const inCart = useLineInCart(product);
  const focusNext = useRef(false);
  /** The pressed button is replaced, and the focus goes to its successor. */
  const takeFocus = (button: HTMLButtonElement | null) => {
    if (!button || !focusNext.current) return;
    focusNext.current = false;
    button.focus({ preventScroll: true });
  };
  const add = () => addOne(router, cache, product);
  const replace = (act: () => void) => {
    focusNext.current = true;
    act();
  };
  if (inCart) return <InCart product={product} inCart={inCart} plusRef={takeFocus} onAdd={add} onRemove={replace} />;
  const isOff = !product.availability;
  return (
    <div className={styles['buy']} data-bar="">
      <ActionButton
        ref={takeFocus}
        size="lg"
        isOff={isOff}
        aria-describedby={isOff ? stockId : undefined}
        onClick={() => replace(add)}
      >
        {!isOff && <Icon name="basket" />}
        Add to cart
        <span aria-hidden="true">{formatMoney(toCents(product.price))}</span>
      </ActionButton>
    </div>
  );
}

interface InCartProps {
  product: Schema<'Product'>;
  inCart: LineInCart;
  plusRef: Ref<HTMLButtonElement>;
  onAdd: () => void;
  /** Called with the removal of the last unit. */
  onRemove: (remove: () => void) => void;
}

function InCart({ product, inCart, plusRef, onAdd, onRemove }: InCartProps) {
  const cache = useQueryClient();
  const { line, most, userId, isPending } = inCart;
  const { quantity } = line;
  const remove = useRemoveLine(userId, line);
  const isFull = quantity >= most;
  const step = (change: 1 | -1) => {
    if (change > 0) return onAdd();
    if (quantity > 1) return takeOne(cache, product, inCart);
    closeCartToast();
    onRemove(remove);
  };
  return (
    <>
      <div className={styles['buy']} data-bar="">
        <QuantityStepper
          name={product.name}
          value={quantity}
          max={most}
          isLarge
          isPending={isPending}
          plusRef={plusRef}
          onChange={step}
        />
        <ButtonLink to="/cart" size="lg" className={styles['view']}>
          {cartMessages.view}
          <span>{formatMoney(toCents(line.price) * quantity)}</span>
        </ButtonLink>
      </div>
      <p className={`${styles['note']} ${isFull ? styles['full'] : ''}`}>
        <LaterIcon name={isFull ? 'info' : 'check'} />
        {isFull ? onlyLeft(most) : inYourCart(quantity)}
      </p>
    </>
  );
}

/** The product's other facts, from the table of facts; rows without a value are left out. */
function ProductFacts({ product }: { product: Schema<'Product'> }) {
  const facts = { ...product, unitSize: useSizeOf()(product) };
  return (
    <dl className={factStyles['facts']}>
      <Fact name="Category">{categoryTitle(product.productCategory)}</Fact>
      {productFieldNames.map((name) => {
        const field = productFields[name];
        const value = shownFact(facts[name as keyof typeof facts], field);
        if (!field.fact || !value) return undefined;
        return (
          <Fact key={name} name={field.fact.name}>
            {value}
          </Fact>
        );
      })}
    </dl>
  );
}

function shownFact(value: unknown, field: ProductField): ReactNode {
  const { isCapitalized, none } = field.fact ?? {};
  if (field.kind === 'level') return typeof value === 'number' && <Heat level={value} />;
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (!text || typeof text !== 'string') return none;
  return isCapitalized ? <span className="cap">{text}</span> : factInWords(field, text);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
