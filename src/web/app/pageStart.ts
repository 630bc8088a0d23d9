/**
 * Inline start script of every server-rendered page (vite.config.ts builds it, pageTags.ts writes it into the page).
 *
 * The page is complete without scripts. They load after everything on it has loaded and been painted, because on a slow
 * line they would compete with its pictures; or immediately on the first interaction. A button, or a link marked
 * `data-needs-app`, that is clicked before the app has hydrated is clicked again afterwards: each once, in the order of
 * their first clicks. Other links and forms work without scripts.
 *
 * It also stores the browser's install event for the app, and retries style sheets that failed to load.
 */
import { aliveEvent, earlyOfferKey } from './startNames';

/** The app's entry script and the scripts it imports; set by each page. */
declare const appScripts: readonly [start: string, ...others: string[]];

const firstRetryMs = 1000; // doubled after each failure
const maxStartDelayMs = 3000; // in case a picture never loads, or the page is in the background and isn't painted

const heldClicks = new Set<HTMLElement>();
let isStarted = false;

/** If the app fails to load, the link works as a plain link. */
function followLink(): void {
  const last = [...heldClicks].at(-1);
  if (last instanceof HTMLAnchorElement) location.href = last.href;
}

function startApp(): void {
  if (isStarted) return;
  isStarted = true;
  const [start, ...others] = appScripts;
  for (const href of others) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  import(/* @vite-ignore */ start).catch(followLink);
}

function holdClick(event: MouseEvent): void {
  const control = (event.target as Element).closest<HTMLElement>('button,a[data-needs-app]');
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!control || (control as HTMLButtonElement).form || hasModifier) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  heldClicks.add(control);
}

/** Neither the browser nor Vite retries a style sheet; the page would stay unstyled. */
function retryStyles({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  const next = target.cloneNode() as HTMLLinkElement;
  const afterMs = Number(next.dataset['retriedAfterMs'] ?? firstRetryMs / 2) * 2;
  next.dataset['retriedAfterMs'] = String(afterMs);
  setTimeout(() => target.replaceWith(next), afterMs);
}

addEventListener('error', retryStyles, true); // the event doesn't bubble
addEventListener('click', holdClick, true);
addEventListener(
  aliveEvent,
  () => {
    removeEventListener('click', holdClick, true);
    const connected = [...heldClicks].filter((control) => control.isConnected);
    for (const control of connected) control.click();
    if (!connected.length) followLink();
  },
  { once: true },
);
addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(startApp))));
addEventListener(
  'beforeinstallprompt',
  (event) => {
    event.preventDefault();
    Object.assign(window, { [earlyOfferKey]: event });
  },
  { once: true },
);
for (const type of ['pointerdown', 'keydown']) addEventListener(type, startApp, { once: true, passive: true });
setTimeout(startApp, maxStartDelayMs);
