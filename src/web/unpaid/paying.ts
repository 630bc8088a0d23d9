import { payingKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';

/**
 * The order whose payment page this tab opened last. It stays in the tab until the order is paid or canceled, so that
 * the cart and the checkout can say what became of it.
 */
export function notePaying(userId: string, orderId: string): void {
  attempt(() => sessionStorage.setItem(payingKey, `${userId} ${orderId}`));
}

export function forgetPaying(): void {
  attempt(() => sessionStorage.removeItem(payingKey));
}

export function findPaying(userId: string): string | undefined {
  const [noted, orderId] = (attempt(() => sessionStorage.getItem(payingKey)) ?? '').split(' ');
  return noted === userId ? orderId : undefined;
}
