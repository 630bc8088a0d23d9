import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { Picture } from '../../../src/web/ui/Picture';

afterEach(() => vi.restoreAllMocks());

test('a picture’s place has its color until the file is loaded, and nothing behind it afterwards', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const picture = { base: '/pictures/a', widths: [160, 320], alt: 'Cumin', placeholder: '#b98a5a' };
  await act(async () => root.render(createElement(Picture, { picture, sizes: '56px' })));
  const image = document.querySelector('img');
  expect(image?.style.backgroundColor).toBe('#b98a5a');
  await act(async () => image?.dispatchEvent(new Event('load')));
  expect(image?.style.backgroundColor).toBe('');
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
