import { phone } from './tab';
import { test } from './walked';

/** Of the walk itself: a mark that comes or goes above a button moves it, and no press may be lost without a word. */
test('what moves away as the pointer comes is pressed where it went', async ({ openBrowser }) => {
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
