import type { Toast, ToastOptions } from 'react-hot-toast/headless';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';

/** A button below the message; pressing it closes the toast. */
export interface ToastAction {
  label: string;
  onPress: () => void;
  /** Time (as in `Date.now()`) when the button disappears; the toast stays at least until then. */
  endsAt?: number;
  /** Concerns the page, not a user, and stays when the user changes. */
  isOfPage?: true;
  /** Another button, on its left. */
  before?: ToastAction;
}

/** Duration of a toast, in ms. */
export const messages = { stayMs: 5000 };

/**
 * Shows a message at the top right for five seconds. Repeating a message replaces it, so that repeated clicks don't
 * fill the screen; a toast with an action is always separate.
 * Rule: docs/rules/screens.md, Toasts
 */
function notify(kind: ToastKind, sentence: string, action?: ToastAction): void {
  const role = kind === 'error' ? 'alert' : 'status';
  const options: ToastOptions & WithAction = {
    id: action ? crypto.randomUUID() : `${kind}: ${sentence}`,
    className: kind,
    duration: Math.max(messages.stayMs, (action?.endsAt ?? 0) - Date.now()),
    removeDelay: 0,
    ariaProps: { role, 'aria-live': role === 'alert' ? 'assertive' : 'polite' },
    action,
  };
  // already loaded after the first view, or will be (Toaster.tsx)
  void import('react-hot-toast/headless').then(
    ({ toast: show }) => show(sentence, options),
    () => undefined, // the page is being left, or it is offline and the chunk isn't cached
  );
}

export const toast = {
  success: (sentence: string, action?: ToastAction) => notify('success', sentence, action),
  error: (sentence: string) => notify('error', sentence),
  warning: (sentence: string) => notify('warning', sentence),
  info: (sentence: string, action?: ToastAction) => notify('info', sentence, action),
};

/** The library keeps unknown properties of a toast. */
interface WithAction {
  action?: ToastAction | undefined;
}
export const actionOf = (item: Toast & WithAction): ToastAction | undefined => item.action;
