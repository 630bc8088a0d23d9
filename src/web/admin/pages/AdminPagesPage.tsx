import { useQuery } from '@tanstack/react-query';
import { pageStaffMessages as messages } from '../../../shared/pagesStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { Waiting } from '../../ui/Waiting';
import { SettingsFrame } from '../settings/SettingsFrame';
import rows from '../table/OrderedTable.module.css';
import { toDashboard } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import { PageTable } from './PageTable';
import { pagesQuery } from './queries';
import { StartingTexts } from './StartingTexts';

/** The owner's own texts. Rule: docs/rules/pages.md, The list */
export function AdminPagesPage() {
  const query = useQuery(pagesQuery());
  const { data: pages, error } = query;
  return (
    <SettingsFrame to="/admin/pages">
      <section className={box['box']} aria-labelledby="own-pages">
        <header>
          <h2 id="own-pages">Pages</h2>
          <ButtonLink to="/admin/pages/$pageId" params={{ pageId: 'new' }}>
            <Icon name="plus" />
            Add page
          </ButtonLink>
        </header>
        {!pages && error === null && (
          <Waiting what="the pages">
            {[1, 2, 3, 4].map((row) => (
              <span key={row} className={`skeleton ${rows['skeleton']}`} />
            ))}
          </Waiting>
        )}
        {!pages && error !== null && (
          <div className={box['state']}>
            <ReadFailure read={query} failure={messages.listStaffPages.failure} back={toDashboard} />
          </div>
        )}
        {pages?.length === 0 && <p className={box['state']}>{messages.empty}</p>}
        {pages && pages.length > 0 && (
          <>
            <PageTable pages={pages} />
            <p className={rows['note']}>
              <AdminIcon name="info" />
              <span>{messages.order}</span>
            </p>
          </>
        )}
      </section>
      {pages && <StartingTexts pages={pages} />}
    </SettingsFrame>
  );
}
