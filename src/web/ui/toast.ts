import { toast as show } from 'react-hot-toast/headless';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';

const duration = 5000;

/**
 * Shows a sentence at the top right for five seconds. The same sentence shown again replaces itself, so a button that
 * is pressed many times does not fill the screen. Source: specification §9
 */
function tell(kind: ToastKind, sentence: string): void {
  const role = kind === 'error' ? 'alert' : 'status';
  show(sentence, {
    id: `${kind}: ${sentence}`,
    className: kind,
    duration,
    removeDelay: 0,
    ariaProps: { role, 'aria-live': role === 'alert' ? 'assertive' : 'polite' },
  });
}

export const toast = {
  success: (sentence: string) => tell('success', sentence),
  error: (sentence: string) => tell('error', sentence),
  warning: (sentence: string) => tell('warning', sentence),
  info: (sentence: string) => tell('info', sentence),
};
