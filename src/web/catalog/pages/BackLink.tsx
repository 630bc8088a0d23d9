import { type RouterHistory, useLocation, useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect } from 'react';
import { ownPath } from '../../../shared/auth';
import { Icon } from '../../ui/Icon';
import { useIsHydrated } from '../../ui/useIsHydrated';
import { useSinglePress } from '../../ui/useSinglePress';
import styles from './BackLink.module.css';
import { isSkippedByBack, type WayBack } from './wayBack';

/**
 * Leads back to the page the visitor came from, in the state it was left. It is a link, so that it can also be opened
 * in another tab. Rule: docs/rules/catalog.md, Product page
 */
export function BackLink({ className = styles['back'] }: { className?: string | undefined }) {
  const { history, navigate, buildLocation } = useRouter();
  const here = useLocation();
  // the server does not know where the visitor came from, and hydration needs the same HTML
  const isAlive = useIsHydrated();
  useEffect(() => saveWayBack(history.location.state), [history]);
  const spices = () => buildLocation({ to: '/products/$category', params: { category: 'spices' } }).href;
  const pressOnce = useSinglePress();
  const goBack = () => {
    const { href = spices(), index } = wayBackFrom(history.location.state) ?? {};
    if (index === undefined) void navigate({ href });
    else history.go(index - history.location.state.__TSR_index);
  };
  const press = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    pressOnce(goBack);
  };
  return (
    <a
      href={(isAlive && wayBackFrom(here.state)?.href) || spices()}
      className={className}
      onClick={press}
      data-needs-app
    >
      <Icon name="left" /> Back
    </a>
  );
}

/**
 * @returns the previous page; without `index` unless it is known to be directly behind this one in the history. A page
 * of the shop led here without the app if the app had not started yet, or if the product was opened in another tab.
 */
function wayBackFrom({ wayBack, __TSR_index }: RouterHistory['location']['state']): Partial<WayBack> | undefined {
  if (wayBack || __TSR_index !== 0) return wayBack;
  const from = new URL(document.referrer || 'about:blank');
  const href = from.origin === location.origin ? ownPath(from.href.slice(from.origin.length)) : undefined;
  if (!href || isSkippedByBack(from.pathname)) return undefined;
  return { href, ...(isBehindStart() && { index: -1 }) };
}

/** The length of the history when a product was first shown. A newly opened page has no entries ahead of it. */
const entriesAtStart = typeof window === 'undefined' ? 0 : window.history.length;

/** @returns whether the previous page is known to be one step back; if unknown, false */
function isBehindStart(): boolean {
  if ('navigation' in window) return navigation.canGoBack;
  const [start] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return start?.type === 'navigate' && start.name === location.href && entriesAtStart > 1;
}

/**
 * After a reload there may be entries ahead, so for browsers that cannot tell, the way back is stored in the entry
 * itself.
 */
function saveWayBack(state: RouterHistory['location']['state']): void {
  const wayBack = wayBackFrom(state);
  if (state.wayBack || wayBack?.index === undefined) return;
  // bypasses the router, for which nothing has changed
  History.prototype.replaceState.call(window.history, { ...window.history.state, wayBack }, '');
}
