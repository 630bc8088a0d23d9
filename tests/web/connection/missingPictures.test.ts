import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { markMissingPictures } from '../../../src/web/connection/missingPictures';
import { reachability } from '../../../src/web/server/reachability';
import { replaceNetwork } from '../../../src/web/server/send';
import { Picture } from '../../../src/web/ui/Picture';

let root: Root;
let stop: () => void;
beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  stop = markMissingPictures();
});
afterEach(() => {
  stop();
  root.unmount();
  document.body.replaceChildren();
  replaceNetwork((request) => fetch(request));
  reachability.noteAnswer();
});

const show = (base: string) =>
  flushSync(() =>
    root.render(createElement(Picture, { picture: { base, widths: [320], alt: 'Cumin' }, sizes: '1px' })),
  );
const image = () => document.querySelector('img') ?? expect.unreachable();
const fail = () => image().dispatchEvent(new Event('error'));
/** The file that the browser would choose. */
const first = () => document.querySelector('picture source')?.getAttribute('srcset');

const mark = '/picture-missing.svg';

test('a missing picture is replaced by a placeholder in its color, with the same alt text', () => {
  show('/pictures/a');
  image().style.backgroundColor = '#b98a5a';
  fail();
  expect(first()).toBe(mark);
  image().style.backgroundColor = ''; // as the page does for loaded ones
  image().dispatchEvent(new Event('load'));
  expect(image().style.backgroundColor).toBe('#b98a5a');
  expect(image().alt).toBe('Cumin');
});

test('a placeholder that is missing too is not requested again', () => {
  show('/pictures/a');
  fail();
  fail();
  expect(document.querySelectorAll('source')).toHaveLength(2);
});

test('with a connection it is tried again', async () => {
  show('/pictures/a');
  replaceNetwork(() => Promise.reject(new Error('no connection')));
  expect(await reachability.probe()).toBe(false);
  fail();
  reachability.noteAnswer();
  expect(first()).toBe('/pictures/a-320.avif 320w');
});

test('another picture in the same element has no placeholder', async () => {
  show('/pictures/a');
  fail();
  show('/pictures/b');
  await expect.poll(first).toBe('/pictures/b-320.avif 320w');
});

test('a failure before the listener was added gets its placeholder too', () => {
  stop();
  show('/pictures/a');
  Object.defineProperties(image(), {
    complete: { value: true },
    naturalWidth: { value: 0 },
    currentSrc: { value: '/pictures/a-320.avif' },
  });
  stop = markMissingPictures();
  expect(first()).toBe(mark);
});

test('a picture that stands alone is left unchanged', () => {
  const alone = document.body.appendChild(document.createElement('img'));
  alone.dispatchEvent(new Event('error'));
  expect(document.querySelector(`source[srcset="${mark}"]`)).toBeNull();
});
