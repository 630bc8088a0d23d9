import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { resolveValue, type Toast, toast, useToaster } from 'react-hot-toast/headless';
import { focusHeading } from './focusHeading';
import { LaterIcon, type LaterIconName } from './LaterIcon';
import styles from './Toaster.module.css';
import { actionOf, type ToastAction, type ToastKind } from './toast';

const icons: Record<ToastKind, LaterIconName> = { success: 'check', error: 'alert', warning: 'alert', info: 'info' };
const maxShown = 3;

/**
 * Renders the toasts of `toast`. The library's own component adds a style element, which the content policy forbids.
 * @param children shown above the toasts
 */
export function Toaster({ userId, children }: { userId: string | undefined; children?: ReactNode }) {
  const { toasts, handlers } = useToaster();
  useRemoveOnUserChange(toasts, userId);
  const shown = toasts.filter((item) => item.visible).slice(0, maxShown);
  return (
    <div
      className={styles['toasts']}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      {children}
      {shown.map((item) => (
        <ToastItem key={`${item.id} ${item.createdAt}`} item={item} />
      ))}
    </div>
  );
}

/** Removes toasts with an action when the user changes: the next user must not undo or continue it. */
function useRemoveOnUserChange(toasts: readonly Toast[], userId: string | undefined): void {
  const latest = useRef(toasts);
  useEffect(() => {
    latest.current = toasts;
  });
  const previousUserId = useRef(userId);
  useEffect(() => {
    if (previousUserId.current === userId) return;
    previousUserId.current = userId;
    for (const item of latest.current) if (actionOf(item) && !actionOf(item)?.isOfPage) toast.remove(item.id);
  }, [userId]);
}

function ToastItem({ item }: { item: Toast }) {
  const kind = (item.className ?? 'info') as ToastKind;
  const action = actionOf(item);
  const close = () => {
    focusHeading(); // before the focused button is removed
    toast.dismiss(item.id);
  };
  const act = ({ onPress }: ToastAction) => {
    close();
    onPress();
  };
  const actions = [action?.before, action].filter((each) => each !== undefined);
  return (
    <div
      className={`${styles['toast']} ${styles[kind]}`}
      style={{ '--lasts': `${item.duration}ms` } as CSSProperties}
      {...item.ariaProps}
    >
      <LaterIcon name={icons[kind]} />
      <span>{resolveValue(item.message, item)}</span>
      <button type="button" className={styles['close']} aria-label="Close" onClick={close}>
        <LaterIcon name="cross" />
      </button>
      {actions.length > 0 && (
        <div className={styles['actions']}>
          {actions.map((each) => (
            <Action key={each.label} action={each} onPress={() => act(each)} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Disappears when its time is up, even while hover or focus keeps the toast open. */
function Action({ action: { label, endsAt }, onPress }: { action: ToastAction; onPress: () => void }) {
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
  return (
    <button ref={button} type="button" className={styles['action']} onClick={onPress}>
      {label}
    </button>
  );
}
