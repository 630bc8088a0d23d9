import { memo } from 'react';
import { categoryTitle } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { sizesInWords, unitPrice } from '../../shared/unitPrice';
import { Picture } from '../ui/Picture';
import { UnitPrice, Was } from '../ui/Price';
import { useShopFacts } from '../ui/shopFacts';
import { excerpt, hasHit, markHits } from './marks';
import styles from './SearchPanel.module.css';

/**
 * A search result. If its name does not show why it matched, the matching words are shown below it. It renders again
 * with each letter typed, so it uses plain elements.
 */
export const SearchHit = memo(function SearchHit({ product, typed }: { product: Schema<'Product'>; typed: string }) {
  const { name, picture, price, productCategory, availability, sizes } = product;
  const why = reason(product, typed);
  const { units } = useShopFacts();
  const cents = toCents(price);
  return (
    <>
      <span className={styles['picture']}>{picture && <Picture picture={picture} sizes="56px" isDecoration />}</span>
      <span>
        <span className={styles['name']}>
          <Marked text={name} typed={typed} />
        </span>
        <span className={styles['why']}>
          <span>{categoryTitle(productCategory)}</span>
          {why && (
            <>
              {' · '}
              <Marked text={why} typed={typed} />
            </>
          )}
        </span>
      </span>
      <span className={`tabular ${styles['price']} ${availability ? '' : styles['muted']}`}>
        {sizes && 'from '}
        {formatMoney(cents)}
        <Was price={product.compareAtPrice} />
        <UnitPrice>{sizes ? sizesInWords(sizes, units) : unitPrice(cents, product, units)}</UnitPrice>
      </span>
    </>
  );
});

function reason({ name, otherNames, description }: Schema<'Product'>, typed: string): string | undefined {
  if (hasHit(name, typed)) return undefined;
  return otherNames.find((other) => hasHit(other, typed)) ?? excerpt(description, typed);
}

function Marked({ text, typed }: { text: string; typed: string }) {
  return markHits(text, typed).map((piece, index) =>
    piece.isHit ? <mark key={index}>{piece.text}</mark> : piece.text,
  );
}
