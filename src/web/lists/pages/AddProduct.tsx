import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { catalogMessages } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { listPageMessages } from '../../../shared/listPages';
import { listLimits, listErrorMessages, type ProductList } from '../../../shared/lists';
import { searchMessages, wordsOf } from '../../../shared/search';
import { ReadFailure } from '../../connection/ReadFailure';
import { foundQuery } from '../../search/queries';
import { SearchField } from '../../search/SearchField';
import { Icon } from '../../ui/Icon';
import { Modal, ModalActions } from '../../ui/Modal';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Thumbnail } from '../../ui/Thumbnail';
import { Waiting } from '../../ui/Waiting';
import styles from './AddProduct.module.css';
import { useAddToList } from '../core/queries';

const maxHits = 6;

interface Props {
  userId: string;
  list: ProductList;
  onClose: () => void;
}

/** Searches products as the cook types and adds them to the list one by one. Arrows move, Enter adds. */
export function AddProduct({ userId, list, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const add = useAddToList(userId);
  const text = wordsOf(query).join(' ');
  const found = useQuery({
    ...foundQuery(text, 1, maxHits),
    enabled: text !== '',
    placeholderData: (before) => before,
  });
  const hits = text === '' ? [] : (found.data?.content ?? []);
  const listedIds = new Set(list.items.map(({ productId }) => productId));
  const isListFull = list.items.length >= listLimits.items;
  const choose = ({ id, name }: Schema<'Product'>) => {
    if (listedIds.has(id) || isListFull) return;
    add.mutate({ list, product: { id, name } });
    field.current?.select();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length > 0) setActive((at) => (at + step + hits.length) % hits.length);
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const hit = hits[active];
    if (event.key === 'Enter' && hit && !found.isPlaceholderData) choose(hit);
  };
  return (
    <Modal title={listPageMessages.addProduct} onClose={onClose} initialFocus={field}>
      <SearchField
        ref={field}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <select> cannot show pictures
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={hits[active] && `${listId}-${active}`}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {isListFull && <p className="muted">{listErrorMessages.list_full}</p>}
      {found.error && !found.data && text !== '' && (
        <ReadFailure read={found} failure={searchMessages.searchProducts.failure} back={null} />
      )}
      {found.isLoading && (
        <Waiting what="the results">
          <SkeletonRows />
        </Waiting>
      )}
      <Hits listId={listId} hits={hits} listedIds={listedIds} active={active} onPoint={setActive} onChoose={choose} />
      <output className="muted">
        {text !== '' && found.data?.totalElements === 0 ? catalogMessages.noProducts : ''}
      </output>
      <ModalActions onClose={onClose} closeText="Done" />
    </Modal>
  );
}

interface HitsProps {
  listId: string;
  hits: readonly Schema<'Product'>[];
  listedIds: ReadonlySet<string>;
  active: number;
  onPoint: (index: number) => void;
  onChoose: (product: Schema<'Product'>) => void;
}

/** The field keeps the focus and the keyboard, and names the active option with `aria-activedescendant`. */
function Hits({ listId, hits, listedIds, active, onPoint, onChoose }: HitsProps) {
  return (
    // oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={listId} role="listbox" aria-label={searchMessages.results} className={styles['hits']}>
      {hits.map((product, index) => (
        <div
          key={product.id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === active}
          aria-disabled={listedIds.has(product.id) || undefined}
          className={`${styles['hit']} ${index === active ? styles['active'] : ''}`}
          onPointerMove={() => onPoint(index)}
          onClick={() => onChoose(product)}
        >
          <Thumbnail imageUrl={product.imageUrl} />
          <span>
            <span className={styles['name']}>{product.name}</span>
            <span className={`muted ${styles['size']}`}>
              {listedIds.has(product.id) ? 'On this list' : product.unitSize}
            </span>
          </span>
          <Icon name={listedIds.has(product.id) ? 'check' : 'plus'} />
        </div>
      ))}
    </div>
    // oxlint-enable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
  );
}
