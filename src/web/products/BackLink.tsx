import { type RouterHistory, useLocation, useRouter } from '@tanstack/react-router';
import { type MouseEvent, useSyncExternalStore } from 'react';
import { ownPath } from '../../shared/auth';
import { Icon } from '../ui/Icon';
import styles from './BackLink.module.css';
import { isPassedBy, type WayBack } from './wayBack';

/**
 * Leads to the page that the visitor came from, as it was left: a link, so that it can be opened in another tab as well.
 * Rule: docs/rules/catalog.md, Product page
 */
export function BackLink({ className = styles['back'] }: { className?: string | undefined }) {
  const { history, navigate, buildLocation } = useRouter();
  const here = useLocation();
  // the server does not know where the visitor came from, and what it drew is taken over as it is
  const isAlive = useSyncExternalStore(neverChanges, isInBrowser, isNotYet);
  const spices = () => buildLocation({ to: '/products/$category', params: { category: 'spices' } }).href;
  const goBack = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href = spices(), index } = wayBackFrom(history.location.state) ?? {};
    if (index === undefined) void navigate({ href });
    else history.go(index - history.location.state.__TSR_index);
  };
  return (
    <a
      href={(isAlive && wayBackFrom(here.state)?.href) || spices()}
      className={className}
      onClick={goBack}
      data-needs-app
    >
      <Icon name="left" /> Back
    </a>
  );
}

const neverChanges = () => () => undefined;
const isInBrowser = () => true;
const isNotYet = () => false;

/**
 * @returns the page before this one; no `index` where it is not known to be behind this one in the history. A page of
 * the shop led here without the app when that was not alive yet, or when the product was opened in another tab.
 */
function wayBackFrom({ wayBack, __TSR_index }: RouterHistory['location']['state']): Partial<WayBack> | undefined {
  if (wayBack || __TSR_index !== 0) return wayBack;
  const from = new URL(document.referrer || 'about:blank');
  const href = from.origin === location.origin ? ownPath(from.href.slice(from.origin.length)) : undefined;
  if (!href || isPassedBy(from.pathname)) return undefined;
  const isBehind = 'navigation' in window && navigation.canGoBack;
  return { href, ...(isBehind && { index: -1 }) };
}
