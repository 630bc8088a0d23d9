import { pageMessages } from '../../shared/pages';
import { pageStaffMessages } from '../../shared/pagesStaff';
import { pageForm } from '../../shared/pagesForms';
import type { Schema } from '../../shared/contract';
import type { ChangeBus } from '../db/core/changeBus';
import { sendCached } from '../http/cache/cachedResponse';
import { createResponseCache, jsonResponse } from '../http/cache/responseCache';
import type { ContractApi } from '../http/contract/contract';
import { presentPage as presentList } from '../http/contract/paging';
import { renderMarkdown } from '../markdown/markdown';
import type { ListedRow, PageRow } from './repository';
import {
  createPage,
  deletePage,
  getPageForStaff,
  getPublishedPage,
  listPagesForStaff,
  listPublishedPages,
  updatePage,
} from './service';

const messages = { ...pageMessages, ...pageStaffMessages };

/** Public reads are cached responses with an ETag; a changed page drops them. */
export function pageRoutes(api: ContractApi, { bus }: { bus: ChangeBus }): void {
  const cache = createResponseCache(bus, { quantities: 'upTo10', maxEntries: 200, maxBytes: 16 * 1024 * 1024 });

  api.serve('listPages', async ({ db, query: { page = 0, size = 10 }, request, reply, missed }) => {
    const key = `pages ${page} ${size}`;
    const found = cache.find(key);
    if (found) return sendCached(request, reply, found);
    const made = await missed(() =>
      cache.get(key, async () => {
        const { rows, totalElements } = await listPublishedPages(db, { page, size });
        const pages = presentList(await Promise.all(rows.map(presentShopPage)), totalElements, { page, size });
        return jsonResponse(api.stringify('listPages', { message: messages.listPages.success, data: { pages } }));
      }),
    );
    return sendCached(request, reply, made);
  });
  api.serve('getPage', async ({ db, params: { slug }, request, reply, missed }) => {
    const key = `page ${slug}`;
    const found = cache.find(key);
    if (found) return sendCached(request, reply, found);
    const made = await missed(() =>
      cache.get(key, async () => {
        const page = await presentShopPage(await getPublishedPage(db, slug));
        return jsonResponse(api.stringify('getPage', { message: messages.getPage.success, data: { page } }));
      }),
    );
    return sendCached(request, reply, made);
  });

  api.on('listStaffPages', async ({ db, query: { page = 0, size = 10 } }) => {
    const { rows, totalElements } = await listPagesForStaff(db, { page, size });
    const pages = presentList(rows.map(presentListed), totalElements, { page, size });
    return { message: messages.listStaffPages.success, data: { pages } };
  });
  api.on('getStaffPage', async ({ db, params }) => answer('getStaffPage', await getPageForStaff(db, params.id)));
  api.on('previewPage', async ({ body }) => ({
    message: messages.previewPage.success,
    data: { html: await renderMarkdown(body.markdown) },
  }));
  api.on('createPage', async ({ tx, body, by, now }) => answer('createPage', await createPage(tx, body, { by, now })), {
    form: pageForm,
  });
  api.on(
    'updatePage',
    async ({ tx, params, body, by, now }) => answer('updatePage', await updatePage(tx, params.id, body, { by, now })),
    { form: pageForm },
  );
  api.on('deletePage', async ({ tx, params, by, now }) =>
    answer('deletePage', await deletePage(tx, params.id, { by, now })),
  );
}

type MessageId = 'getStaffPage' | 'createPage' | 'updatePage' | 'deletePage';
const answer = (id: MessageId, page: PageRow) => ({
  message: messages[id].success,
  data: { page: presentStaffPage(page) },
});

const presentShopPage = async ({ slug, title, markdown, changedAt }: PageRow): Promise<Schema<'ShopPage'>> => ({
  slug,
  title,
  html: await renderMarkdown(markdown),
  changedAt: changedAt.toISOString(),
});

const presentListed = ({ changedAt, ...page }: ListedRow): Schema<'ListedPage'> => ({
  ...page,
  changedAt: changedAt.toISOString(),
});

const presentStaffPage = ({ archivedAt: _archivedAt, changedAt, ...page }: PageRow): Schema<'StaffPage'> => ({
  ...page,
  changedAt: changedAt.toISOString(),
});
