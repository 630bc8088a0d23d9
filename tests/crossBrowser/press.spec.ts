import { phone } from './tab';
import { test } from './harness';

/** Tests the harness: a notice above a button moves it, and no press may be lost silently. */
test('an element that moves as the pointer comes is pressed at its new position', async ({ openBrowser }) => {
  const { tab } = await openBrowser(phone);
  await tab.open('/contact');
  await tab.sees({ role: 'button', name: 'Send' });
  await tab.run(() => {
    const button = Object.assign(document.createElement('button'), { textContent: 'Moves' });
    Object.assign(button.style, { position: 'fixed', top: '200px', left: '40px', height: '44px', zIndex: 9999 });
    button.addEventListener('pointermove', () => (button.style.top = '300px'), { once: true });
    button.addEventListener('click', () => (button.textContent = 'Pressed'));
    document.body.append(button);
  }, null);
  await tab.press({ role: 'button', name: 'Moves' });
  await tab.sees({ role: 'button', name: 'Pressed' });
});
