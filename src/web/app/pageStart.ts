/**
 * Stands in every page that the server draws, as a script of its own (vite.config.ts builds it, pageTags.ts writes it into
 * the page). Such a page shows everything without its scripts, and gets them when all it shows is there and drawn, since on
 * a slow line they would take the time of its pictures; at once, if somebody touches it. A button, or a link that does more
 * than lead somewhere (`data-needs-app`), that is pressed before the app is alive is pressed again then: each one once, in
 * the order of their first press. Other links and forms work by themselves. The browser's offer to install the shop is
 * kept for the app. A style sheet that could not be had is asked for again.
 */
import { aliveEvent, earlyOfferKey } from './startNames';

/** The app's first script, and those that it imports; each page says which. */
declare const appScripts: readonly [start: string, ...others: string[]];

const askAgainAfterMs = 1000; // twice as long after each failure
const startAtLatestMs = 3000; // a picture that never comes, or a page in the background, which is not drawn

const pressed = new Set<HTMLElement>();
let isStarted = false;

/** Without the app a link is still a link. */
function follow(): void {
  const last = [...pressed].at(-1);
  if (last instanceof HTMLAnchorElement) location.href = last.href;
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
  pressed.add(control);
}

/** Neither a browser nor Vite's loading of late parts asks a second time: the page would stay without its looks. */
function askAgain({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  const next = target.cloneNode() as HTMLLinkElement;
  const afterMs = Number(next.dataset['askedAfter'] ?? askAgainAfterMs / 2) * 2;
  next.dataset['askedAfter'] = String(afterMs);
  setTimeout(() => target.replaceWith(next), afterMs);
}

addEventListener('error', askAgain, true); // it does not bubble
addEventListener('click', press, true);
addEventListener(
  aliveEvent,
  () => {
    removeEventListener('click', press, true);
    const still = [...pressed].filter((control) => control.isConnected);
    for (const control of still) control.click();
    if (!still.length) follow();
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
