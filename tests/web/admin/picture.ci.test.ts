import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pictureMessages } from '../../../src/shared/pictureUploads';
import { photographed } from '../../support/photographed';
import { fileForm, jpeg, picturesOf } from '../../support/pictures';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { control, dialog, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
let small: Buffer;
beforeAll(async () => {
  shop = await openShop();
  small = await jpeg(40, 30);
  vi.stubGlobal('XMLHttpRequest', Upload);
});
beforeEach(async () => {
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4000, height: 3000, close: () => undefined }));
});
afterEach(() => tab.close());
afterAll(async () => {
  vi.unstubAllGlobals();
  await shop.close();
});

/** Replaces the browser's upload; pauses half way until the test continues it. */
class Upload extends EventTarget {
  static sent: Blob | undefined;
  static goOn = () => {};
  static fail = () => {};
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  url = '';
  status = 0;
  response: unknown;
  open(_method: string, url: string) {
    this.url = url;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(form: FormData) {
    Upload.sent = form.get('file') as File;
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }));
    Upload.goOn = () => void this.finish(Upload.sent as Blob);
    Upload.fail = () => void this.dispatchEvent(new Event('error'));
  }
  async finish(file: Blob) {
    const { headers, body } = fileForm(Buffer.from(await file.arrayBuffer()));
    const sent = { ...this.headers, ...headers, host: 'localhost:3000', origin: 'http://localhost:3000' };
    const answer = await shop.app.inject({ method: 'POST', url: this.url, headers: sent, payload: body });
    [this.status, this.response] = [answer.statusCode, answer.json()];
    this.dispatchEvent(new Event('load'));
  }
}

const heads: Record<string, string> = {
  'image/jpeg': '\xff\xd8\xff',
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/webp': 'RIFF....WEBP',
};
/** @param named the type that its name suggests */
function photo(name: string, bytes = 5000, type = 'image/jpeg', named = type) {
  const content = new Uint8Array(bytes);
  content.set(Buffer.from(heads[type] ?? '', 'latin1').subarray(0, bytes));
  return new File([content], name, { type: named });
}
const field = () => document.querySelector('fieldset') as HTMLElement;
async function chooseFile(input: HTMLInputElement, file: File) {
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
const fileInput = (label: string) => document.querySelector(`input[aria-label="${label}"]`) as HTMLInputElement;

const sending = () => until(() => document.querySelector('progress')?.value === 0.5);

async function openProduct() {
  const pepper = await shop.stock();
  tab = openTab(shop, `/update/product/${pepper.id}`, { as: owner });
  await control('Add photos');
  return pepper;
}

test('a picture is chosen, dropped, pasted or taken with a phone’s camera, and previewed before the upload', async () => {
  await openProduct();
  await chooseFile(fileInput('Photo file'), photo('chosen.jpg'));
  await see('New photo: chosen.jpg');
  field().dispatchEvent(
    Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
      dataTransfer: { files: [photo('dropped.png', 5000, 'image/png')] },
    }),
  );
  await see('New photo: dropped.png');
  document.dispatchEvent(
    Object.assign(new Event('paste'), { clipboardData: { files: [photo('pasted.webp', 5000, 'image/webp')] } }),
  );
  await see('New photo: pasted.webp');
  await control('Take a photo');
  expect(fileInput('Photo').getAttribute('capture')).toBe('environment');
  await chooseFile(fileInput('Photo'), photo('taken.jpg'));
  await see('New photo: taken.jpg');
  await see('4 of 10');
  for (const _ of Array.from({ length: 4 })) await press('Remove photo 1');
  await miss('New photo');
});

test('an invalid or too large picture is rejected before the upload', async () => {
  await openProduct();
  await chooseFile(fileInput('Photo file'), photo('drawing.svg', 500, 'image/svg+xml'));
  await see('Choose a JPG, PNG, WebP, AVIF, or GIF photo');
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not read')));
  await chooseFile(fileInput('Photo file'), photo('poster.png', 10 * 1024 * 1024 + 1, 'image/png'));
  await see('Photos can be up to 10 MB');
  await press('Save');
  await see("Not saved: this photo can't be used.");
  expect(tab.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await press('Remove photo 1');
  await press('Remove photo 1');
  await chooseFile(fileInput('Photo file'), photo('empty.png', 0, 'image/png'));
  await see('Choose a JPG, PNG, WebP, AVIF, or GIF photo');
});

test.each([
  ['image/jpeg', 'image/jpeg', 2_400_000, true],
  ['image/jpeg', 'image/jpeg', 14_000_000, true],
  ['image/png', 'image/png', 2_400_000, false], // like a browser that cannot write WebP
  ['image/jpeg', 'image/jpeg', 900_000, false],
])(
  'from a picture of type %s the browser makes %s: %i bytes are sent smaller: %s',
  async (type, made, bytes, isSmaller) => {
    const sizes: number[][] = [];
    class Canvas {
      constructor(width: number, height: number) {
        sizes.push([width, height]);
      }
      getContext = () => ({ drawImage: () => undefined });
      convertToBlob = async () => new Blob([new Uint8Array(small)], { type: made });
    }
    vi.stubGlobal('OffscreenCanvas', Canvas);
    const { id } = await openProduct();
    await chooseFile(fileInput('Photo file'), photo('photo', bytes, type));
    await see('New photo: photo');
    await press('Save');
    await sending();
    expect(Upload.sent).toMatchObject(isSmaller ? { size: small.length, type: made } : { size: bytes, type });
    expect(sizes).toEqual(bytes > 1_000_000 ? [[2000, 1500]] : []);
    if (!isSmaller) return;
    Upload.goOn();
    await until(() => tab.path() === `/view/product/${id}`);
    await see('Processing your photo');
    expect(await picturesOf(shop, () => owner).waitingOf(id)).toHaveLength(1);
  },
);

test.each([
  ['a PNG named .jpg', photo('photo.jpg', 2_400_000, 'image/png', 'image/jpeg'), 'image/webp'], // keeps transparency
  ['a JPEG without an extension', photo('photo', 2_400_000, 'image/jpeg', ''), 'image/jpeg'],
])('%s is decoded by its content, not by its name', async (_, file, drawn) => {
  const types: string[] = [];
  class Canvas {
    getContext = () => ({ drawImage: () => undefined });
    convertToBlob = async ({ type }: { type: string }) => {
      types.push(type);
      return new Blob([new Uint8Array(small)], { type });
    };
  }
  vi.stubGlobal('OffscreenCanvas', Canvas);
  await openProduct();
  await chooseFile(fileInput('Photo file'), file);
  await see(`New photo: ${file.name}`);
  await press('Save');
  await sending();
  expect(new Set(types)).toEqual(new Set([drawn]));
  expect(Upload.sent?.type).toBe(drawn);
});

test('an unsent picture is not abandoned without asking, and saving again changes the stock once', async () => {
  const { id } = await openProduct();
  await fill('Quantity', '15');
  await chooseFile(fileInput('Photo file'), new File([new Uint8Array(small)], 'pepper.jpg', { type: 'image/jpeg' }));
  await press('Save');
  await sending();
  await shop.call('adjustStock', { as: owner, path: { id }, body: { change: -2, reason: 'Sold at the market' } });
  Upload.fail();
  await see("Couldn't add the photo. Try again.");
  void tab.go('/products');
  await see('Leave without saving?');
  await press('Stay', await dialog());
  await miss('Leave without saving?');
  expect(tab.path()).toBe(`/update/product/${id}`);
  expect((await fieldCalled('Quantity')).value).toBe('15');
  await press('Save');
  await sending();
  Upload.goOn();
  await until(() => tab.path() === `/view/product/${id}`);
  await see('13 in stock');
});

test('a user who leaves during an upload stays where they went, and it completes', async () => {
  const { id } = await openProduct();
  await chooseFile(fileInput('Photo file'), new File([new Uint8Array(small)], 'pepper.jpg', { type: 'image/jpeg' }));
  await press('Save');
  await sending();
  void tab.go('/product/category');
  await press('Leave', await dialog());
  await see('Add Product Category');
  const reads = () => tab.calls.filter(({ path }) => path === '/admin/categories').length;
  const before = reads();
  Upload.goOn();
  await see('Processing your photo');
  await until(() => reads() > before); // the list's data is stale then, and the upload is over
  await tab.go('/product/category?q=pepper');
  await until(() => reads() > before + 1);
  expect(tab.path()).toBe('/product/category?q=pepper');
  expect(await picturesOf(shop, () => owner).waitingOf(id)).toHaveLength(1);
});

test('photos are ordered by keys, described, and removed, and only Save sends it', async () => {
  const { id, hashes } = await photographed(shop, 'The jar', 'The label', 'Close up');
  tab = openTab(shop, `/update/product/${id}`, { as: owner });
  const grip = await control('Move photo 1');
  grip.focus();
  grip.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  await see('Photo 2 of 3');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move photo 2');
  await fill('Description of photo 1', 'The new label');
  await press('Remove photo 3');
  await see('2 of 10');
  expect(tab.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  await press('Save');
  await until(() => tab.path() === `/view/product/${id}`);
  const { photos } = await picturesOf(shop, () => owner).forStaff(id);
  expect(photos).toMatchObject([
    { id: hashes[1], alt: 'The new label' },
    { id: hashes[0], alt: 'The jar' },
  ]);
});

test('photos that a colleague added or removed meanwhile are shown before the order is saved', async () => {
  const { id, hashes } = await photographed(shop, 'The jar', 'The label');
  tab = openTab(shop, `/update/product/${id}`, { as: owner });
  const grip = await control('Move photo 1');
  await shop.call('removePhoto', { as: owner, path: { id, photoId: hashes[1] ?? '' } });
  grip.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  await press('Save');
  await see(pictureMessages.changed);
  await see('1 of 10');
  await press('Save');
  await until(() => tab.path() === `/view/product/${id}`);
});

test('a photo that the shop refuses is named under its tile, and the rest is saved', async () => {
  const { id } = await openProduct();
  await chooseFile(fileInput('Photo file'), photo('noise.jpg'));
  await fill('Quantity', '11');
  await press('Save');
  await sending();
  Upload.goOn();
  await see('Saved without the photo. Choose a JPG, PNG, WebP, AVIF, or GIF photo');
  expect(tab.path()).toBe(`/update/product/${id}`);
  await press('Remove photo 1');
  await press('Save');
  await until(() => tab.path() === `/view/product/${id}`);
});

test('an iPhone’s HEIC photo is sent as a JPEG, or refused with the way to send one', async () => {
  const heic = () => new File([new Uint8Array(Buffer.from('\0\0\0\x18ftypheic', 'latin1'))], 'garden.heic');
  class Canvas {
    getContext = () => ({ drawImage: () => undefined });
    convertToBlob = async ({ type }: { type: string }) => new Blob([new Uint8Array(small)], { type });
  }
  vi.stubGlobal('OffscreenCanvas', Canvas);
  await openProduct();
  await chooseFile(fileInput('Photo file'), heic());
  await press('Save');
  await sending();
  expect(Upload.sent?.type).toBe('image/jpeg');
  Upload.goOn();
  await see('Processing your photo');
  tab.close();
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not read')));
  await openProduct();
  await chooseFile(fileInput('Photo file'), heic());
  await see("This browser can't read HEIC photos.");
});
