import { Popover } from '@chakra-ui/react/popover';
import { Portal } from '@chakra-ui/react/portal';
import { popoverSlotRecipe } from '@chakra-ui/react/theme';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import { stockNote } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { toCents } from '../../../shared/money';
import { sizeInWords, soldOut, type ProductSize } from '../../../shared/sizes';
import { shortSize, unitPrice } from '../../../shared/unitPrice';
import { useLineInCart } from '../../cart/lineInCart';
import { addOne } from '../../cart/press';
import { Icon } from '../../ui/Icon';
import frame from '../../ui/MenuFrame.module.css';
import { Price, Was } from '../../ui/Price';
import { useShopFacts } from '../../ui/shopFacts';
import { useSwipeDown } from '../../ui/swipeDown';
import { takeFocus } from '../../ui/takeFocus';
import { Themed } from '../../ui/Themed';
import { Fewer } from './Fewer';
import card from './ProductCard.module.css';
import styles from './SizesPanel.module.css';

export interface SizesPanelProps {
  /** What the card shows. */
  product: Schema<'CardProduct'> & Pick<Schema<'Product'>, 'sizes'>;
  /** The card's round button. The panel stands below it; Escape gives it the focus back. */
  button: HTMLElement;
  onClose: (nothing: undefined) => void;
}

/**
 * The sizes of a card, each with its own stepper: below the button, on phones and tablets a bottom sheet.
 * Rule: docs/rules/catalog.md, Cards
 */
export function SizesPanel({ product, button, onClose }: SizesPanelProps) {
  const content = useRef<HTMLDivElement>(null);
  const [isSheet] = useState(() => !window.matchMedia('(min-width: 1024px)').matches);
  const close = () => {
    // a sheet holds the focus until it's gone, and then gives it to finalFocusEl
    if (!isSheet && content.current?.contains(document.activeElement)) button.focus();
    onClose(undefined);
  };
  const swipe = useSwipeDown(close);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isSheet || event.key !== 'Tab') return moveByArrows(event);
    const buttons = event.currentTarget.querySelectorAll('button');
    // the browser goes on from the card's button, on which this puts the focus
    if (document.activeElement === buttons[event.shiftKey ? 0 : buttons.length - 1]) close();
  };
  return (
    <Themed>
      <Popover.Root
        open
        recipe={popoverSlotRecipe}
        modal={isSheet}
        portalled={false}
        positioning={{ placement: 'bottom-end', gutter: 8, getAnchorElement: () => button }}
        persistentElements={[() => button]}
        finalFocusEl={() => button}
        onOpenChange={({ open }) => open || close()}
      >
        <Portal>
          <div className={frame['scrim']} />
          <Popover.Positioner className={frame['place'] ?? ''}>
            <Popover.Content
              ref={content}
              className={`${frame['menu']} ${styles['panel']}`}
              aria-label={`Sizes of ${product.name}`}
              onKeyDown={onKeyDown}
              {...swipe}
            >
              <p className={styles['title']}>{product.name}</p>
              <ul ref={focusFirst}>
                {product.sizes?.map((size) => (
                  <Size key={size.id} size={size} shown={product} />
                ))}
              </ul>
            </Popover.Content>
          </Popover.Positioner>
        </Portal>
      </Popover.Root>
    </Themed>
  );
}

/** @param props.shown has the picture for the cart until the shop has answered */
function Size({ size, shown }: { size: ProductSize; shown: Schema<'CardProduct'> }) {
  const { units } = useShopFacts();
  const router = useRouter();
  const cache = useQueryClient();
  const inCart = useLineInCart(size);
  const isFull = inCart && inCart.line.quantity >= inCart.most;
  const cents = toCents(size.price);
  const words = shortSize(sizeInWords(size, units));
  const state = size.availability ? [unitPrice(cents, size, units), stockNote(size)] : [soldOut];
  const { imageUrl, picture } = shown;
  const product = { ...size, imageUrl, picture };
  const named = { ...product, name: words === size.name ? words : `${size.name}, ${words}` };
  return (
    <li className={`${styles['size']} ${size.availability ? '' : styles['gone']}`}>
      <span>
        <b>{words}</b>
        <span className="tabular">{state.filter(Boolean).join(' · ')}</span>
      </span>
      {size.availability && (
        <span className={styles['price']}>
          <Price cents={cents} />
          <Was price={size.compareAtPrice} />
        </span>
      )}
      <span className={`${styles['buy']} ${inCart ? card['in'] : ''} ${inCart?.isPending ? card['pending'] : ''}`}>
        <span className={card['amount']}>
          {inCart && <Fewer product={named} inCart={inCart} />}
          {(size.availability || inCart) && (
            <button
              type="button"
              data-plus
              className={card['add']}
              aria-label={`Add ${named.name} to cart`}
              aria-disabled={isFull || undefined}
              onClick={() => isFull || addOne(router, cache, product)}
            >
              <Icon name="plus" />
            </button>
          )}
        </span>
      </span>
    </li>
  );
}

const plusesOf = (panel: Element | null) => [...(panel?.querySelectorAll<HTMLElement>('[data-plus]') ?? [])];

/** The panel opens with its first render, which moves no focus by itself. */
const focusFirst = (list: HTMLElement | null) => takeFocus(plusesOf(list)[0] ?? list?.parentElement ?? null);

/** The arrow keys go from one size's plus to the next one's. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const pluses = plusesOf(event.currentTarget);
  if (!step || pluses.length === 0) return;
  event.preventDefault();
  const at = pluses.findIndex((plus) => plus.closest('li')?.contains(document.activeElement));
  pluses[(at + step + pluses.length) % pluses.length]?.focus();
}
