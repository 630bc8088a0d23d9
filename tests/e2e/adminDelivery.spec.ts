/**
 * Delivery methods in a real browser: the simulated document has no layout. A phone's cards have no grip, only the
 * menu.
 */
import type { AnswerOf } from '../../src/shared/contract';
import { expect, test } from './shop';

test('a delivery method is moved by its grip, or on a phone by its menu, and stays there', async ({
  browser,
  owner,
  shop,
  viewport,
}) => {
  const office = await browser.newContext({ storageState: owner, viewport });
  const page = await office.newPage();
  const options = { headers: { origin: shop.url } };
  const ids: string[] = [];
  for (const name of ['Bicycle', 'Van', 'Post']) {
    const answer = await page.request.post('/api/admin/delivery-methods', { ...options, data: { name, price: 5 } });
    expect(answer.ok(), await answer.text()).toBe(true);
    ids.push(((await answer.json()) as AnswerOf<'createDeliveryMethod'>).data.deliveryMethod.id);
  }
  const names = async () =>
    (await page.getByRole('row').allInnerTexts()).flatMap((text) => /Bicycle|Van|Post/.exec(text) ?? []);
  const middleOf = async (name: RegExp) => {
    const box = await page.getByRole('button', { name }).boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  const moveByGrip = async () => {
    const [from, to] = [await middleOf(/^Move Bicycle/), await middleOf(/^Move Post/)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await expect.poll(names).toEqual(['Van', 'Post', 'Bicycle']); // while it is held
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
    await page.mouse.up();
    await saved;
  };
  const moveByMenu = async () => {
    for (const passed of ['Van', 'Post']) {
      await page.getByRole('button', { name: 'More actions for Bicycle' }).click();
      await page.getByRole('menuitem', { name: 'Move down' }).click();
      await expect.poll(async () => (await names()).indexOf('Bicycle') - (await names()).indexOf(passed)).toBe(1);
    }
  };
  try {
    await page.goto('/admin/delivery');
    await expect.poll(names).toEqual(['Bicycle', 'Van', 'Post']);
    await ((await page.getByRole('button', { name: /^Move Bicycle/ }).isVisible()) ? moveByGrip() : moveByMenu());
    await page.reload();
    await expect.poll(names).toEqual(['Van', 'Post', 'Bicycle']);
  } finally {
    for (const id of ids) await page.request.delete(`/api/admin/delivery-methods/${id}`, options); // other tests sell without any
    await office.close();
  }
});

test('a form longer than a phone’s screen starts at its top', async ({ browser, owner }) => {
  const office = await browser.newContext({ storageState: owner, viewport: { width: 390, height: 600 } });
  const page = await office.newPage();
  await page.goto('/admin/delivery');
  await page.getByRole('button', { name: 'Add method' }).first().click();
  const head = page.getByRole('dialog').getByRole('heading', { name: 'Delivery method' });
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(head).toBeInViewport({ ratio: 1 });
  await office.close();
});
