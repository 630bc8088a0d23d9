import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { pageMessages, type ShopPage, summaryOf } from '../../shared/pages';
import { NotFoundPage } from '../catalog/core/NotFoundPage';
import { ReadFailure } from '../connection/ReadFailure';
import { isNowhere } from '../server/errors';
import { FormattedText } from '../ui/FormattedText';
import { Heading } from '../ui/Heading';
import { PageMeta, PageTitle } from '../ui/PageMeta';
import side from '../ui/SidePages.module.css';
import { useShopFacts } from '../ui/shopFacts';
import { knownZone } from '../ui/shopTime';
import { Waiting } from '../ui/Waiting';
import styles from './OwnPage.module.css';
import { pageQuery } from './queries';

const route = getRouteApi('/shop/pages/$slug');

/** A text of the owner. Rule: docs/rules/pages.md, Reading */
export function OwnPage() {
  const { slug } = route.useParams();
  const read = useQuery(pageQuery(slug));
  const { data: page, error } = read;
  if (isNowhere(error)) return <NotFoundPage />;
  return (
    <div className={`wrap ${side['frame']}`}>
      <OtherPages />
      {page && <Text key={slug} page={page} />}
      {!page && <PageTitle>Page</PageTitle>}
      {!page && error && (
        <div>
          <h1 className="sr-only" tabIndex={-1}>
            Page
          </h1>
          <ReadFailure read={read} failure={pageMessages.getPage.failure} />
        </div>
      )}
      {!page && !error && (
        <Waiting what="the page" className={styles['article']}>
          {/* not focusable: the focus goes to the page's title, which replaces it */}
          <h1 className="sr-only">Page</h1>
          <span className={`skeleton ${styles['title']}`} />
          <span className={`skeleton ${styles['lines']}`} />
        </Waiting>
      )}
    </div>
  );
}

function OtherPages() {
  const { pages = [] } = useShopFacts();
  return (
    <nav className={side['pages']} aria-label="Pages">
      {pages.map(({ slug, title }) => (
        <Link key={slug} to="/pages/$slug" params={{ slug }}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

function Text({ page: { slug, title, html, changedAt } }: { page: ShopPage }) {
  const article = useOwnLinks();
  const timeZone = knownZone(useShopFacts().timeZone);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(new Date(changedAt));
  return (
    <article ref={article} className={styles['article']}>
      <PageMeta title={title} description={summaryOf(html) || title} path={`/pages/${slug}`} />
      <Heading as="h1" textStyle="h1" tabIndex={-1}>
        {title}
      </Heading>
      <p className={`muted ${styles['changed']}`}>Updated {day}</p>
      <FormattedText html={html} className={styles['text']} />
    </article>
  );
}

/** Links of the text to pages of the shop open in the app, as all others do. */
function useOwnLinks() {
  const { history } = useRouter();
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = article;
    const open = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a');
      const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      if (!link || link.origin !== location.origin || hasModifier || event.defaultPrevented) return;
      event.preventDefault();
      history.push(link.pathname + link.search + link.hash);
    };
    current?.addEventListener('click', open);
    return () => current?.removeEventListener('click', open);
  }, [history]);
  return article;
}
