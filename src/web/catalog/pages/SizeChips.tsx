import { useMatch, useRouter } from '@tanstack/react-router';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Schema } from '../../../shared/contract';
import { formatMoney, toCents } from '../../../shared/money';
import { shortSize, unitPrice, type Units } from '../../../shared/unitPrice';
import { sizeInWords, soldOut, type ProductSize } from '../../../shared/sizes';
import { useShopFacts } from '../../ui/shopFacts';
import { addressOf } from '../core/addressOf';
import styles from './SizeChips.module.css';

/** The keys that choose the next or previous size. */
const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const labelId = 'sizes';

/**
 * The sizes of a product. They are links, so that each opens without the app and in another tab, and radio buttons:
 * the arrow keys choose, Tab passes. The chosen one keeps the focus and the scroll position (useFocusOnHeading.ts).
 * Rule: docs/rules/catalog.md, Sizes
 */
export function SizeChips({ id, sizes }: { id: string; sizes: NonNullable<Schema<'Product'>['sizes']> }) {
  const router = useRouter();
  const { units } = useShopFacts();
  const isReadable = useMatch({ from: '/shop/p/$slug', shouldThrow: false }) !== undefined;
  /** Of the same kind as this page's address, so that the page stays. */
  const addressFrom = (size: ProductSize) => addressOf(isReadable ? size : { id: size.id });
  const choose = (size: ProductSize | undefined, link: Element | null | undefined) => {
    if (link instanceof HTMLElement) link.focus({ preventScroll: true }); // Safari does not focus a pressed link
    if (!size || size.id === id) return;
    void router.navigate({ ...addressFrom(size), replace: true, resetScroll: false });
  };
  const press = (event: MouseEvent, size: ProductSize) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(size, event.currentTarget);
  };
  const type = (event: KeyboardEvent, at: number) => {
    const step = event.key === ' ' ? 0 : steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = (at + step + sizes.length) % sizes.length;
    choose(sizes[next], event.currentTarget.parentElement?.children[next]);
  };
  return (
    <div>
      <p className={styles['legend']} id={labelId}>
        Size
      </p>
      <div role="radiogroup" aria-labelledby={labelId} className={styles['sizes']}>
        {sizes.map((size, at) => (
          <a
            key={size.id}
            href={router.buildLocation(addressFrom(size)).href}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input is no link
            role="radio"
            aria-checked={size.id === id}
            aria-label={[sizeInWords(size, units), ...stateOf(size, units)].join(', ')}
            tabIndex={size.id === id ? 0 : -1}
            className={`${styles['size']} ${size.availability ? '' : styles['gone']}`}
            onClick={(event) => press(event, size)}
            onKeyDown={(event) => type(event, at)}
          >
            <b>{shortSize(sizeInWords(size, units))}</b>
            {stateOf(size, units).map((line) => (
              <span key={line}>{line}</span>
            ))}
          </a>
        ))}
      </div>
    </div>
  );
}

/** @returns its price and unit price; a sold-out one says only so */
function stateOf(size: ProductSize, units: Units): string[] {
  if (!size.availability) return [soldOut];
  const cents = toCents(size.price);
  return [formatMoney(cents), unitPrice(cents, size, units)].filter((line) => line !== undefined);
}
