import type { Toast, ToastOptions } from 'react-hot-toast/headless';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';

/** A button under the sentence; pressing it closes the toast. */
export interface ToastAction {
  label: string;
  onPress: () => void;
  /** From when it cannot be pressed any more, as `Date.now()` tells; it is there until then at least. */
  endsAt?: number;
  /** It is about the page, whoever uses it, and stays when the user changes. */
  isOfPage?: true;
  /** Another one, at its left. */
  before?: ToastAction;
}

/** How long a sentence stays, in ms. */
export const messages = { stayMs: 5000 };

/**
 * Shows a sentence at the top right for five seconds. The same sentence shown again replaces itself, so a button that
 * is pressed many times does not fill the screen; one with an action stands for itself.
 * Rule: docs/rules/screens.md, Toasts
 */
function tell(kind: ToastKind, sentence: string, action?: ToastAction): void {
  const role = kind === 'error' ? 'alert' : 'status';
  const options: ToastOptions & Acting = {
    id: action ? crypto.randomUUID() : `${kind}: ${sentence}`,
    className: kind,
    duration: Math.max(messages.stayMs, (action?.endsAt ?? 0) - Date.now()),
    removeDelay: 0,
    ariaProps: { role, 'aria-live': role === 'alert' ? 'assertive' : 'polite' },
    action,
  };
  // what draws it has brought it after the first view, or will (Toaster.tsx)
  void import('react-hot-toast/headless').then(
    ({ toast: show }) => show(sentence, options),
    () => undefined, // the page is left, or has no network and no parts kept
  );
}

export const toast = {
  success: (sentence: string, action?: ToastAction) => tell('success', sentence, action),
  error: (sentence: string) => tell('error', sentence),
  warning: (sentence: string) => tell('warning', sentence),
  info: (sentence: string, action?: ToastAction) => tell('info', sentence, action),
};

/** The library keeps what it does not know beside what it does. */
interface Acting {
  action?: ToastAction | undefined;
}
export const actionOf = (item: Toast & Acting): ToastAction | undefined => item.action;
