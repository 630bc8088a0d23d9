import { setImmediate } from 'node:timers/promises';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { deferMenu, type MenuButtonProps } from '../../../src/web/ui/deferMenu';
import { MenuFrame } from '../../../src/web/ui/MenuFrame';
import { control, until, waiting } from '../openTab';

const props: MenuButtonProps = { className: undefined, children: 'Lists' };
const EmptyMenu = (button: MenuButtonProps) => createElement(MenuFrame, { ...button, title: 'Lists', items: null });

test('a loading menu leaves its button in place, with its focus, until it replaces both', async () => {
  const asked: (() => void)[] = [];
  const Late = deferMenu(async () => {
    await new Promise<void>((resolve) => asked.push(resolve));
    return EmptyMenu;
  });
  const page = document.body.appendChild(document.createElement('main'));
  const root = createRoot(page);
  root.render(createElement(Late, props));
  const button = await control('Lists');
  button.focus();
  let isLost = false;
  const observer = new MutationObserver(() => (isLost ||= document.activeElement === document.body));
  observer.observe(document, { childList: true, subtree: true });
  button.click();
  await until(() => asked.length === 2); // with the focus, and to be rendered
  await setImmediate(); // the placeholder is rendered
  for (const arrive of asked) arrive();
  const menu = await vi.waitFor(
    () => document.querySelector('[role=menu]') ?? Promise.reject(new Error('no menu')),
    waiting,
  );
  await until(() => menu.contains(document.activeElement));
  observer.disconnect();
  expect(isLost).toBe(false);
  root.render(createElement(Late, { ...props, className: 'other' })); // once open, it keeps the focus
  await until(() => document.querySelector('button.other') !== null);
  expect(menu.contains(document.activeElement)).toBe(true);
  root.unmount();
  page.remove();
});
