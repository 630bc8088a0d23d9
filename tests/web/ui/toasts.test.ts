import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { toast as toasts } from 'react-hot-toast/headless';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toast } from '../../../src/web/ui/toast';
import { Toaster } from '../../../src/web/ui/Toaster';

let root: Root;
const show = (page: string, userId = 'ana') => root.render(createElement(Toaster, { page, userId }));
const told = () =>
  [...document.querySelectorAll('[role=status], [role=alert]')].map((each) => each.querySelector('div')?.textContent);
const sees = (...sentences: string[]) => vi.waitFor(() => expect(told()).toEqual(sentences));
const undo = { label: 'Undo', onPress: () => undefined };

beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  show('/cart');
});
afterEach(() => {
  root.unmount();
  toasts.remove();
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** As if the toasts had been there for so long. */
const later = (ms: number) => {
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + ms);
};

test('a toast goes with its page, unless it has Undo', async () => {
  toast.success('Cart item updated successfully');
  toast.success('Item removed from cart', undo);
  await sees('Item removed from cart', 'Cart item updated successfully');
  later(1500);
  show('/checkout');
  await sees('Item removed from cart');
});

test('a toast whose press leads to another page is shown there', async () => {
  toast.warning('You need to be logged in to add items to your cart');
  await sees('You need to be logged in to add items to your cart');
  show('/login');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await sees('You need to be logged in to add items to your cart');
});

test('the newest toast is in front, then warnings and errors', async () => {
  toast.warning('This browser saves nothing');
  await sees('This browser saves nothing');
  toast.success('Message sent');
  await sees('Message sent', 'This browser saves nothing');
  toast.success('Item added to cart successfully');
  await sees('Item added to cart successfully', 'This browser saves nothing', 'Message sent');
  toast.error('Only 2 left');
  await sees('Only 2 left', 'This browser saves nothing', 'Item added to cart successfully');
});

test('on a phone, an Undo that a newer toast covers gets the rest of its time afterwards', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  vi.useFakeTimers();
  toast.success('Item removed from cart', undo);
  await sees('Item removed from cart');
  await vi.advanceTimersByTimeAsync(2000);
  toast.success('Cart item updated successfully');
  await sees('Cart item updated successfully', 'Item removed from cart');
  await vi.advanceTimersByTimeAsync(1000);
  const earlier = document.querySelector('[role=status]');
  toast.success('Cart item updated successfully'); // the same again: its time starts over
  await vi.waitFor(() => expect(earlier?.isConnected).toBe(false));
  await vi.advanceTimersByTimeAsync(4500);
  await sees('Cart item updated successfully', 'Item removed from cart');
  await vi.advanceTimersByTimeAsync(2500);
  await sees('Item removed from cart');
  await vi.advanceTimersByTimeAsync(1500);
  await sees();
});

test('Undo goes with its user', async () => {
  toast.success('Item removed from cart', undo);
  await sees('Item removed from cart');
  show('/cart', 'ben');
  await sees();
});

test('a toast names the thing on a second line, and one about the same replaces it', async () => {
  const about = (count: number) => ({ id: 'cart', detail: `Cubeb · ${count} in cart` });
  toast.success('Item added to cart successfully', undefined, about(1));
  await sees('Item added to cart successfullyCubeb · 1 in cart');
  toast.success('Item added to cart successfully', undefined, about(2));
  await sees('Item added to cart successfullyCubeb · 2 in cart');
  toast.error('Only 2 left', { id: 'cart', detail: 'Cubeb' });
  await sees('Only 2 leftCubeb');
});
