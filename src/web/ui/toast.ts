import type { Toast, ToastOptions } from 'react-hot-toast/headless';
import { loadOnce } from './afterLoad';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';

/** A button below the message; pressing it closes the toast. */
export interface ToastAction {
  label: string;
  onPress?: () => void;
  /** The page that it leads to. Such a toast goes with its page, like one without an action. */
  to?: string;
  /** Time (as in `Date.now()`) when the button disappears; the toast stays at least until then. */
  endsAt?: number;
  /** Concerns the page, not a user, and stays when the user changes. */
  isOfPage?: true;
  /** Another button, on its left. */
  before?: ToastAction;
}

interface More {
  /** Toasts with the same one replace each other. */
  id?: string;
  /** A second line, which names the thing. */
  detail?: string;
}

/** Duration of a toast, in ms. */
export const messages = { stayMs: 5000 };

// already loaded after the first view, or will be (Toaster.tsx)
const loadToasts = loadOnce(() => import('react-hot-toast/headless'));

/**
 * Shows a message for five seconds. Repeating a message replaces it, so that repeated clicks don't fill the screen; a
 * toast with an action is separate unless it has an `id`.
 * Rule: docs/rules/screens.md, Toasts
 */
function notify(kind: ToastKind, sentence: string, action?: ToastAction, more?: More): void {
  const role = kind === 'error' ? 'alert' : 'status';
  const options: ToastOptions & Parts = {
    id: action ? crypto.randomUUID() : `${kind}: ${sentence}`,
    className: kind,
    duration: Math.max(messages.stayMs, (action?.endsAt ?? 0) - Date.now()),
    removeDelay: 0,
    ariaProps: { role, 'aria-live': role === 'alert' ? 'assertive' : 'polite' },
    action,
    detail: undefined, // an earlier toast with this id may have one
    ...more,
  };
  void loadToasts().then(
    ({ toast: show }) => show(sentence, options),
    () => undefined, // the page is being left, or it is offline and the chunk isn't cached
  );
}

export const toast = {
  success: (sentence: string, action?: ToastAction, more?: More) => notify('success', sentence, action, more),
  error: (sentence: string, more?: More) => notify('error', sentence, undefined, more),
  warning: (sentence: string) => notify('warning', sentence),
  info: (sentence: string, action?: ToastAction, more?: More) => notify('info', sentence, action, more),
};

/** The library keeps unknown properties of a toast. */
interface Parts {
  action?: ToastAction | undefined;
  detail?: string | undefined;
  /** How much of its time was left when a newer one covered it. */
  leftMs?: number;
}
export const partsOf = (item: Toast & Parts): Parts => item;
