import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { pageMessages, type StaffPage } from '../../../shared/pages';
import { startingTextOf } from '../../../shared/pageStartingTexts';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { AdminHead, Pending } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import { timeOf } from '../ui/dates';
import form from '../ui/form.module.css';
import { PageForm } from './PageForm';
import { emptyPage } from './pageValues';
import { pageQuery, useDeletePage } from './queries';

const toPages = { to: '/admin/pages', label: 'Pages' };

/** The editor of a page. Rule: docs/rules/pages.md, The editor */
export function AdminPageFormPage() {
  const { pageId = '' } = useParams({ strict: false });
  return pageId === 'new' ? <NewPage /> : <EditPage key={pageId} id={pageId} />;
}

/** The search parameter `text` names the text to start from. */
function NewPage() {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const { slug = '', title = '', markdown = '' } = startingTextOf(String(raw['text'])) ?? {};
  return (
    <>
      <AdminHead title="Add page" back={toPages} />
      <PageForm key={slug} page={undefined} initial={{ ...emptyPage, slug, title, markdown }} />
    </>
  );
}

function EditPage({ id }: { id: string }) {
  const query = useQuery({ ...pageQuery(id), staleTime: 0 });
  const { data: page, isFetchedAfterMount } = query;
  return (
    <>
      <AdminHead title="Edit page" back={toPages}>
        {page && <Actions page={page} />}
      </AdminHead>
      {/* the form must start with the shop's current values, not with cached ones */}
      {page && isFetchedAfterMount && <PageForm page={page} initial={page} />}
      <Pending
        query={query}
        failure={pageMessages.getPage.failure}
        back={toPages}
        what="the page"
        className={form['waiting']}
      />
    </>
  );
}

function Actions({ page: { id, slug, isPublished, changedAt } }: { page: StaffPage }) {
  const navigate = useNavigate();
  const { mutate: remove } = useDeletePage(() => void navigate({ to: '/admin/pages' }));
  return (
    <>
      <span className="muted">Updated {timeOf(changedAt)}</span>
      <Button variant="ghost" colorPalette="error" onClick={() => remove(id)}>
        <AdminIcon name="trash" />
        Delete page
      </Button>
      {isPublished && (
        <ButtonLink variant="outline" to="/pages/$slug" params={{ slug }}>
          <AdminIcon name="eye" />
          View page
        </ButtonLink>
      )}
    </>
  );
}
