import { Link } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { resolveValue, type Toast, toast, type ToastOptions, useToaster } from 'react-hot-toast/headless';
import { focusHeading } from './focusHeading';
import { LaterIcon, type LaterIconName } from './LaterIcon';
import styles from './Toaster.module.css';
import { partsOf, type ToastAction, type ToastKind } from './toast';
import { useBarHeight } from './useBarHeight';

const icons: Record<ToastKind, LaterIconName> = { success: 'check', error: 'alert', warning: 'alert', info: 'info' };
const maxShown = 3;
/** How long a page may take to follow the press that shows a toast. */
const arrivesMs = 1000;

interface Props {
  userId?: string | undefined;
  /** The page's path. */
  page?: string;
  /** Shown above the toasts; on a phone when there are none. */
  children?: ReactNode;
}

/** Renders the toasts of `toast`. The library's own component adds a style element, which the content policy forbids. */
export function Toaster({ userId, page, children }: Props) {
  const { toasts, handlers } = useToaster();
  useRemoveOnChange(toasts, userId, (item) => isUndo(item) && !partsOf(item).action?.isOfPage);
  // what a press shows while it leads to another page is about that page
  useRemoveOnChange(toasts, page, (item) => !isUndo(item) && Date.now() - item.createdAt > arrivesMs);
  const barHeight = useBarHeight(toasts.length > 0);
  const [newest, ...older] = toasts
    .filter((item) => item.visible)
    .toSorted((one, other) => other.createdAt - one.createdAt);
  const urgent = older.filter(isUrgent);
  useTimeAfter(newest, urgent);
  const shown = [...(newest ? [newest] : []), ...urgent, ...older.filter((item) => !isUrgent(item))].slice(0, maxShown);
  return (
    <div
      className={styles['toasts']}
      style={{ '--bars': `${barHeight}px` } as CSSProperties}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      {shown.map((item) => (
        <ToastItem key={`${item.id} ${item.createdAt}`} item={item} />
      ))}
      {children}
    </div>
  );
}

/** Whether it offers more than a way to a page: to undo, to pay, to reload. */
const isUndo = (item: Toast): boolean => partsOf(item).action?.onPress !== undefined;

/** What went wrong, or can be undone: the other toasts leave before it. */
const isUrgent = (item: Toast): boolean => isUndo(item) || item.className === 'warning' || item.className === 'error';

/** A phone shows only the newest toast. Urgent ones that it covers get the rest of their time afterwards. */
function useTimeAfter(newest: Toast | undefined, urgent: readonly Toast[]): void {
  const covered = useRef(urgent);
  useEffect(() => {
    covered.current = urgent;
  });
  useEffect(() => {
    if (!newest || !matchMedia('(max-width: 1023px)').matches) return;
    for (const item of covered.current) {
      const leftMs = Math.min(partsOf(item).leftMs ?? Infinity, endOf(item) - Date.now());
      const duration = endOf(newest) + leftMs - item.createdAt - item.pauseDuration;
      toast(item.message, { ...item, leftMs, duration } as ToastOptions);
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each toast, and again when it is repeated
  }, [newest?.id, newest?.createdAt]);
}

const endOf = ({ createdAt, duration = 0, pauseDuration }: Toast): number => createdAt + duration + pauseDuration;

/** Removes toasts that a change made untrue: of the user, who must not undo what another did, or of the page. */
function useRemoveOnChange(
  toasts: readonly Toast[],
  value: string | undefined,
  isUntrue: (item: Toast) => boolean,
): void {
  const latest = useRef({ toasts, isUntrue });
  useEffect(() => {
    latest.current = { toasts, isUntrue };
  });
  const previous = useRef(value);
  useEffect(() => {
    if (previous.current === value) return;
    previous.current = value;
    for (const item of latest.current.toasts) if (latest.current.isUntrue(item)) toast.remove(item.id);
  }, [value]);
}

function ToastItem({ item }: { item: Toast }) {
  const kind = (item.className ?? 'info') as ToastKind;
  const { action, detail } = partsOf(item);
  const close = () => {
    focusHeading(); // before the focused button is removed
    toast.dismiss(item.id);
  };
  const act = ({ onPress }: ToastAction) => {
    close();
    onPress?.();
  };
  const actions = [action?.before, action].filter((each) => each !== undefined);
  return (
    <div
      className={`${styles['toast']} ${styles[kind]}`}
      style={{ '--lasts': `${item.duration}ms` } as CSSProperties}
      {...item.ariaProps}
    >
      <LaterIcon name={icons[kind]} />
      <div>
        {resolveValue(item.message, item)}
        {detail && <div className={styles['detail']}>{detail}</div>}
      </div>
      <button type="button" className={styles['close']} aria-label="Close" onClick={close}>
        <LaterIcon name="cross" />
      </button>
      {actions.length > 0 && (
        <div className={`${styles['actions']} ${actions.length > 1 ? styles['two'] : ''}`}>
          {actions.map((each) => (
            <Action key={each.label} action={each} onPress={() => act(each)} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Disappears when its time is up, even while hover or focus keeps the toast open. */
function Action({ action: { label, to, endsAt }, onPress }: { action: ToastAction; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOver, setOver] = useState(() => endsAt !== undefined && endsAt <= Date.now());
  useEffect(() => {
    if (endsAt === undefined) return undefined;
    const end = () => {
      if (document.activeElement === button.current) focusHeading(); // before the focused button is removed
      setOver(true);
    };
    const timer = setTimeout(end, endsAt - Date.now());
    return () => clearTimeout(timer);
  }, [endsAt]);
  if (isOver) return null;
  if (to) {
    return (
      <Link to={to} className={styles['action']} onClick={onPress}>
        {label}
      </Link>
    );
  }
  return (
    <button ref={button} type="button" className={styles['action']} onClick={onPress}>
      {label}
    </button>
  );
}
