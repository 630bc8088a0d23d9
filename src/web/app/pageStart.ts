/**
 * Stands in every page that the server draws, as a script of its own (vite.config.ts builds it, pageTags.ts writes it into
 * the page). Such a page shows everything without its scripts, and gets them when all it shows is there and drawn, since on
 * a slow line they would take the time of its pictures; at once, if somebody touches it. A button, or a link that does more
 * than lead somewhere (`data-needs-app`), that is pressed before the app is alive is pressed again then, once. Other links
 * and forms work by themselves. The browser's offer to install the shop is kept for the app.
 */
import { aliveEvent, earlyOfferKey } from './startNames';

/** The app's first script, and those that it imports; each page says which. */
declare const appScripts: readonly [start: string, ...others: string[]];

const startAtLatestMs = 3000; // a picture that never comes, or a page in the background, which is not drawn

let pressed: HTMLElement | undefined;
let isStarted = false;

/** Without the app a link is still a link. */
function follow(): void {
  if (pressed instanceof HTMLAnchorElement) location.href = pressed.href;
}

function begin(): void {
  if (isStarted) return;
  isStarted = true;
  const [start, ...others] = appScripts;
  for (const href of others) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  import(/* @vite-ignore */ start).catch(follow);
}

function press(event: MouseEvent): void {
  const control = (event.target as Element).closest<HTMLElement>('button,a[data-needs-app]');
  const isMeantOtherwise = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!control || (control as HTMLButtonElement).form || isMeantOtherwise) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pressed = control;
}

addEventListener('click', press, true);
addEventListener(
  aliveEvent,
  () => {
    removeEventListener('click', press, true);
    if (pressed?.isConnected) pressed.click();
    else follow();
  },
  { once: true },
);
addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin))));
addEventListener(
  'beforeinstallprompt',
  (event) => {
    event.preventDefault();
    Object.assign(window, { [earlyOfferKey]: event });
  },
  { once: true },
);
for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, begin, { once: true, passive: true });
setTimeout(begin, startAtLatestMs);
