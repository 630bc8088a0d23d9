import type { ListedPage } from '../../../shared/pages';
import { pageStaffMessages as messages } from '../../../shared/pagesStaff';
import { startingTexts } from '../../../shared/pageStartingTexts';
import { ButtonLink } from '../../ui/ButtonLink';
import box from '../ui/box.module.css';
import styles from './pages.module.css';

/** Texts that no page was made from yet. A page that starts with one is a draft. */
export function StartingTexts({ pages }: { pages: readonly ListedPage[] }) {
  const offered = startingTexts.filter(({ slug }) => !pages.some((page) => page.slug === slug));
  if (offered.length === 0) return null;
  return (
    <section className={box['box']} aria-labelledby="starting-texts">
      <header>
        <h2 id="starting-texts">Texts to start from</h2>
        <p className={styles['hint']}>{messages.startingTexts}</p>
      </header>
      <ul className={styles['texts']}>
        {offered.map(({ slug, title, about }) => (
          <li key={slug}>
            <div>
              <b>{title}</b>
              <small>{about}</small>
            </div>
            <ButtonLink
              to="/admin/pages/$pageId"
              params={{ pageId: 'new' }}
              search={{ text: slug }}
              variant="outline"
              aria-label={`Use text: ${title}`}
            >
              Use text
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
