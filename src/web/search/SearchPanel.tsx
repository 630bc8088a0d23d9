import { Dialog } from '@chakra-ui/react/dialog';
import { Portal } from '@chakra-ui/react/portal';
import { dialogSlotRecipe } from '@chakra-ui/react/theme';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { catalogMessages } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import { searchMessages, wordsOf } from '../../shared/search';
import { CategoryLinks } from '../catalog/core/CategoryLinks';
import { ReadFailure } from '../connection/ReadFailure';
import { useSaved } from '../device/saved';
import { IconButton } from '../ui/IconButton';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Themed } from '../ui/Themed';
import { Waiting } from '../ui/Waiting';
import type { FindCards } from './onDevice';
import { foundQuery, popularQuery } from './queries';
import { noteRecent } from './recent';
import { SearchField } from './SearchField';
import { SearchHit } from './SearchHit';
import styles from './SearchPanel.module.css';
import { Suggestions } from './Suggestions';

const maxHits = 6;
/** No result is active until an arrow key selects one. */
const none = -1;

interface Props {
  /** Gets the focus when the panel closes. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** The search over the page: results as you type; Enter shows all, or opens the result selected with the arrows. */
export function SearchPanel({ opener, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [header] = useState(() => document.querySelector('header')?.getBoundingClientRect().bottom ?? 0);
  const close = () => {
    onClose();
    setTimeout(() => opener.current?.focus()); // once the dialog no longer traps it
  };
  const below = { '--header': `${Math.max(0, header)}px` } as CSSProperties;
  return (
    <Themed>
      <Dialog.Root
        open
        recipe={dialogSlotRecipe}
        motionPreset="none"
        initialFocusEl={() => field.current}
        finalFocusEl={() => opener.current}
        onFocusOutside={(event) => event.preventDefault()} // only a press outside closes it
        onOpenChange={({ open }) => open || close()}
      >
        <Portal>
          <Dialog.Backdrop className={styles['scrim'] ?? ''} style={below} />
          <Dialog.Positioner className={styles['place'] ?? ''} style={below}>
            <Dialog.Content className={styles['panel'] ?? ''} aria-label={searchMessages.title}>
              <Search field={field} onLeave={onClose} onClose={close} />
            </Dialog.Content>
          </Dialog.Positioner>
        </Portal>
      </Dialog.Root>
    </Themed>
  );
}

interface SearchProps {
  field: RefObject<HTMLInputElement | null>;
  /** Called when it navigates to another page. */
  onLeave: () => void;
  onClose: () => void;
}

function Search({ field, onLeave, onClose }: SearchProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(none);
  const listId = useId();
  const text = wordsOf(typed).join(' ');
  const found = useFound(text);
  const { data, error, isWaiting, isLoading } = found;
  const popular = useQuery(popularQuery).data ?? [];
  const hits = text === '' ? popular : (data?.content ?? []);
  const open = ({ id }: Schema<'Product'>) => {
    noteRecent(typed);
    onLeave();
    void navigate({ to: '/customer/view/product/$id', params: { id } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length > 0) {
      event.preventDefault();
      setActive((at) => (at === none && step < 0 ? hits.length - 1 : (at + step + hits.length) % hits.length));
    }
    const hit = hits[active];
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (hit && (text === '' || !isWaiting)) open(hit);
    else if (text !== '') seeAll();
  };
  const leaveWithAll = () => {
    noteRecent(typed);
    onLeave();
  };
  const seeAll = () => {
    leaveWithAll();
    void navigate({ to: '/search', search: { q: typed.trim() } });
  };
  const search = useCallback((words: string) => {
    setTyped(words);
    setActive(none);
  }, []);
  // hidden while something is typed: removing it would delay the results of the first letter
  const suggestions = useMemo(
    () => <Suggestions field={field} onSearch={search} onLeave={onLeave} />,
    [field, search, onLeave],
  );
  return (
    <search className="wrap">
      <SearchField
        ref={field}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <select> cannot show pictures
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={hits[active] && optionId(listId, active)}
        placeholder={searchMessages.placeholder}
        value={typed}
        onChange={({ target }) => search(target.value)}
        onKeyDown={onKeyDown}
      >
        <IconButton icon="cross" label={searchMessages.close} onClick={onClose} />
      </SearchField>
      {error && !data && <ReadFailure read={found} failure={searchMessages.searchProducts.failure} back={null} />}
      {isLoading && (
        <Waiting what="the results">
          <SkeletonRows />
        </Waiting>
      )}
      <div className={text === '' ? styles['opened'] : undefined}>
        <div className={styles['suggestions']} hidden={text !== ''}>
          {suggestions}
        </div>
        <Hits listId={listId} hits={hits} active={active} typed={text} onOpen={open} />
      </div>
      {text !== '' && data && <Count count={data.totalElements} typed={typed} onLeave={leaveWithAll} />}
    </search>
  );
}

const optionId = (listId: string, index: number) => `${listId}-${index}`;

interface HitsProps {
  listId: string;
  hits: readonly Schema<'Product'>[];
  active: number;
  typed: string;
  onOpen: (product: Schema<'Product'>) => void;
}

/** The field keeps the focus and the keyboard, and names the active option with `aria-activedescendant`. */
function Hits({ listId, hits, active, typed, onOpen }: HitsProps) {
  return (
    // oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={listId} role="listbox" aria-label={searchMessages.results} className={styles['hits']}>
      {hits.map((product, index) => (
        <div
          key={product.id}
          id={optionId(listId, index)}
          role="option"
          aria-selected={index === active}
          className={`${styles['hit']} ${index === active ? styles['active'] : ''}`}
          onClick={() => onOpen(product)}
        >
          <SearchHit product={product} typed={typed} />
        </div>
      ))}
    </div>
    // oxlint-enable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
  );
}

/** Results from the device, synchronously and without the query cache; from the server if the device has no catalog. */
function useFound(text: string) {
  const [device, setDevice] = useState<{ search: FindCards | undefined }>();
  useEffect(() => {
    void import('./onDevice')
      .then(({ openSearch }) => openSearch())
      .then(
        (search) => setDevice({ search }),
        () => setDevice({ search: undefined }), // the chunk could not be loaded
      );
  }, []);
  const search = device?.search;
  const found = useMemo(() => search?.(text, 0, maxHits), [search, text]);
  const asked = useQuery({
    ...foundQuery(search ? '' : text, 1, maxHits), // not another query for each letter that the device answers
    enabled: device !== undefined && !search && text !== '',
    placeholderData: (previous) => previous,
  });
  if (found) return { data: found, error: null, isWaiting: false, isLoading: false, refetch: asked.refetch };
  return { ...asked, isWaiting: asked.isPlaceholderData };
}

function Count({ count, typed, onLeave }: { count: number; typed: string; onLeave: () => void }) {
  const { opensOffline } = useSaved();
  if (count === 0) {
    return (
      <>
        <output className={styles['foot']}>{catalogMessages.noProducts}</output>
        <WaysOn />
      </>
    );
  }
  return (
    <div className={styles['foot']}>
      <output>
        {searchMessages.count(count)} {opensOffline && searchMessages.worksOffline}
      </output>
      <Link to="/search" search={{ q: typed.trim() }} className={styles['all']} onClick={onLeave}>
        {searchMessages.seeAll}
      </Link>
    </div>
  );
}

/** Renders them after the response to a letter without results, so that they do not delay the next input. */
function WaysOn() {
  const isReady = useDeferredValue(true, false);
  return <div className={styles['ways']}>{isReady && <CategoryLinks />}</div>;
}
