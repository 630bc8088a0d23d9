import { listen, stopAll } from '../browser/listen';
import { reachability } from '../server/reachability';

/**
 * Where a picture cannot be had, because it is neither on the device nor to be fetched, its place shows a mark instead of
 * the browser's sign of a broken picture. The mark is a further source of the `<picture>`, before the others, so what the
 * page has written stays as it is, and without the mark the browser tries anew.
 * @returns how to stop
 */
export function markMissingPictures(): () => void {
  for (const image of document.querySelectorAll('img')) if (hasFailed(image)) mark(image);
  return stopAll(
    // an error does not bubble
    listen(document, 'error', ({ target }: Event) => target instanceof HTMLImageElement && mark(target), true),
    reachability.subscribe(() => reachability.isOnline() && removeMarks()),
  );
}

const file = '/picture-missing.svg'; // kept with the app
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
  image.addEventListener('load', keepColor, { once: true }); // after the page's own listener, which takes it away
  picture.prepend(source);
  removeWithPicture(source, picture);
}

/** The page may show another picture in the same place. */
function removeWithPicture(source: HTMLSourceElement, picture: Element): void {
  const watch = new MutationObserver(() => {
    watch.disconnect();
    source.remove();
  });
  watch.observe(picture, { attributeFilter: ['srcset', 'src'], subtree: true });
}
