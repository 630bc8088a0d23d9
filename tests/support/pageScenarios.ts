/** One success and every error of the operations of the owner's pages, for the contract test. */
import { randomUUID } from 'node:crypto';
import type { Scenarios } from './accountScenarios';
import type { Answer } from './caller';
import type { TestShop } from './shop';

export function pageScenarios(shop: () => TestShop): Scenarios {
  const admin = () => shop().signIn({ role: 'ROLE_ADMIN' });
  const none = () => ({ id: randomUUID() });
  const someForm = (slug: string = randomUUID()) => ({ slug, title: 'Terms', markdown: 'Be kind.', isPublished: true });

  const create = async (body: object = someForm()) => shop().call('createPage', { as: await admin(), body });
  const update = async (path: { id: string }, body: object = someForm()) =>
    shop().call('updatePage', { as: await admin(), path, body });
  const remove = async (path: { id: string }) => shop().call('deletePage', { as: await admin(), path });
  const idOf = ({ data }: Answer<'createPage'>) => ({ id: data.page.id });
  /** Adds as many pages as allowed, and removes them after the call. */
  const whileFull = async <T>(call: () => Promise<T>): Promise<T> => {
    await shop().pool.query(
      `insert into pages (id, slug, title, markdown, is_published, position, changed_at)
       select gen_random_uuid(), 'full-' || n, 'Full', 'Full', false, n, now() from generate_series(1, 50) as n`,
    );
    try {
      return await call();
    } finally {
      await shop().pool.query(`delete from pages where slug like 'full-%'`);
    }
  };

  return {
    listPages: { success: () => shop().call('listPages') },
    getPage: {
      success: async () => {
        const { slug } = (await create()).data.page;
        return shop().call('getPage', { path: { slug } });
      },
      page_not_found: () => shop().call('getPage', { path: { slug: 'none' } }),
    },
    listStaffPages: { success: async () => shop().call('listStaffPages', { as: await admin() }) },
    getStaffPage: {
      success: async () => shop().call('getStaffPage', { as: await admin(), path: idOf(await create()) }),
      page_not_found: async () => shop().call('getStaffPage', { as: await admin(), path: none() }),
    },
    previewPage: {
      success: async () => shop().call('previewPage', { as: await admin(), body: { markdown: '**Hello**' } }),
    },
    createPage: {
      success: () => create(),
      slug_taken: async () => {
        const slug = randomUUID();
        await create(someForm(slug));
        return create(someForm(slug));
      },
      too_many_pages: () => whileFull(() => create()),
    },
    updatePage: {
      success: async () => update(idOf(await create())),
      page_not_found: () => update(none()),
      slug_taken: async () => {
        const slug = randomUUID();
        await create(someForm(slug));
        return update(idOf(await create()), someForm(slug));
      },
      page_changed: async () => {
        const path = idOf(await create());
        await update(path);
        return update(path, { ...someForm(), version: 1 });
      },
      too_many_pages: async () => {
        const deleted = idOf(await create());
        await remove(deleted);
        return whileFull(() => update(deleted));
      },
    },
    deletePage: {
      success: async () => remove(idOf(await create())),
      page_not_found: () => remove(none()),
    },
  };
}
