import { Link } from '@tanstack/react-router';
import type { ListedPage } from '../../../shared/pages';
import { pageStaffMessages as messages } from '../../../shared/pagesStaff';
import { Badge } from '../../ui/Badge';
import { focusHeading } from '../../ui/focusHeading';
import rows from '../table/OrderedTable.module.css';
import { RowMenu } from '../table/RowMenu';
import { useRowMoves } from '../table/useRowMoves';
import { AdminIcon } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import { dayOf } from '../ui/dates';
import styles from './pages.module.css';
import { useChangePage, useDeletePage } from './queries';

/** The pages in the footer's order. On a phone they are a list, and the menu moves them. */
export function PageTable({ pages }: { pages: ListedPage[] }) {
  const { mutate: change } = useChangePage();
  const { shown, moving, gripOf } = useRowMoves(pages, (page, position, done) =>
    change({ page, fields: { position } }, { onSettled: done }),
  );
  const moved = shown.find(({ id }) => id === moving?.id);
  return (
    <>
      <output className="sr-only">
        {moved && `${moved.title}, position ${shown.indexOf(moved) + 1} of ${shown.length}`}
      </output>
      <table className={`${box['table']} ${rows['table']}`}>
        <caption className="sr-only">Pages</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Footer order</span>
            </th>
            <th scope="col">Title</th>
            <th scope="col">Address</th>
            <th scope="col">Status</th>
            <th scope="col">Updated</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((page, place) => (
            <tr key={page.id} className={page.id === moving?.id ? rows['moving'] : undefined}>
              <td className={rows['grip']}>
                <button type="button" aria-label={`Move ${page.title}, now position ${place + 1}`} {...gripOf(page)}>
                  <AdminIcon name="grip" />
                </button>
              </td>
              <td className={rows['name']}>
                <Link to="/admin/pages/$pageId" params={{ pageId: page.id }} className="link">
                  {page.title}
                </Link>
              </td>
              <td className={styles['address']}>{messages.address(page.slug)}</td>
              <td>
                <Status isPublished={page.isPublished} />
              </td>
              <td className={styles['changed']}>{dayOf(page.changedAt)}</td>
              <td className={rows['menu']}>
                <PageMenu page={page} place={place} places={shown.length} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const Status = ({ isPublished }: { isPublished: boolean }) =>
  isPublished ? (
    <Badge tone="success">Published</Badge>
  ) : (
    <Badge tone="neutral" hollow>
      Draft
    </Badge>
  );

function PageMenu({ page, place, places }: { page: ListedPage; place: number; places: number }) {
  const { mutate: change } = useChangePage();
  const { mutate: remove } = useDeletePage(focusHeading); // the focused row will be removed
  const { id, slug, title, isPublished } = page;
  const moveTo = (position: number) => change({ page, fields: { position } });
  const publish = () => change({ page, fields: { isPublished: !isPublished } });
  return (
    <RowMenu
      of={title}
      entries={[
        { label: 'Edit page', icon: 'edit', to: `/admin/pages/${id}` },
        ...(isPublished ? [{ label: 'View page', icon: 'eye', to: messages.address(slug) } as const] : []),
        isPublished
          ? { label: 'Unpublish', icon: 'lock', onSelect: publish }
          : { label: 'Publish', icon: 'upload', onSelect: publish },
        { label: 'Move up', icon: 'chevronUp', isOff: place === 0, onSelect: () => moveTo(place - 1) },
        { label: 'Move down', icon: 'chevronDown', isOff: place === places - 1, onSelect: () => moveTo(place + 1) },
        { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => remove(id) },
      ]}
    />
  );
}
