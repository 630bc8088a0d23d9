import { resolveValue, type Toast, toast, useToaster } from 'react-hot-toast/headless';
import { Icon, type IconName } from './Icon';
import styles from './Toaster.module.css';
import type { ToastKind } from './toast';

const icons: Record<ToastKind, IconName> = { success: 'check', error: 'alert', warning: 'alert', info: 'info' };
const atMost = 3;

/** The sentences of `toast`, drawn by ourselves: the content policy forbids the style element of the library's own. */
export function Toaster() {
  const { toasts, handlers } = useToaster();
  const shown = toasts.filter((item) => item.visible).slice(0, atMost);
  return (
    <div
      className={styles['toasts']}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      {shown.map((item) => (
        <OneToast key={`${item.id} ${item.createdAt}`} item={item} />
      ))}
    </div>
  );
}

function OneToast({ item }: { item: Toast }) {
  const kind = (item.className ?? 'info') as ToastKind;
  return (
    <div className={`${styles['toast']} ${styles[kind]}`} {...item.ariaProps}>
      <Icon name={icons[kind]} />
      <span>{resolveValue(item.message, item)}</span>
      <button type="button" className={styles['close']} aria-label="Close" onClick={() => toast.dismiss(item.id)}>
        <Icon name="cross" />
      </button>
    </div>
  );
}
