import { listen, stopAll } from '../browser/listen';
import { reachability } from '../server/reachability';

/**
 * Shows a placeholder for pictures that are neither saved nor loadable, instead of the browser's broken-image icon. It
 * is an extra <source> at the start of the `<picture>`, so the page's own markup stays, and removing it makes the
 * browser try again.
 * @returns a function that stops it
 */
export function markMissingPictures(): () => void {
  for (const image of document.querySelectorAll('img')) if (hasFailed(image)) mark(image);
  return stopAll(
    // error events don't bubble
    listen(document, 'error', ({ target }: Event) => target instanceof HTMLImageElement && mark(target), true),
    reachability.subscribe(() => reachability.isOnline() && removeMarks()),
  );
}

const file = '/picture-missing.svg'; // cached with the app
const marks = `source[srcset="${file}"]`;

const removeMarks = () => document.querySelectorAll(marks).forEach((source) => source.remove());

const hasFailed = ({ complete, currentSrc, naturalWidth }: HTMLImageElement) =>
  complete && currentSrc !== '' && naturalWidth === 0;

function mark(image: HTMLImageElement): void {
  const picture = image.closest('picture');
  if (!picture || picture.querySelector(marks)) return;
  const source = document.createElement('source');
  source.srcset = file;
  const color = image.style.backgroundColor;
  const keepColor = () => source.isConnected && (image.style.backgroundColor = color);
  image.addEventListener('load', keepColor, { once: true }); // after the page's listener, which removes it
  picture.prepend(source);
  removeWithPicture(source, picture);
}

/** The page may reuse the element for another picture. */
function removeWithPicture(source: HTMLSourceElement, picture: Element): void {
  const watch = new MutationObserver(() => {
    watch.disconnect();
    source.remove();
  });
  watch.observe(picture, { attributeFilter: ['srcset', 'src'], subtree: true });
}
