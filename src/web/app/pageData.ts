import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { inlineJson } from '../ui/PageMeta';

/** The query data that a page was rendered from, embedded in it so that the browser doesn't fetch it again. */
type Answers = [key: QueryKey, data: unknown][];

const elementId = 'page-data';
/** For the shell, which isn't rendered on the server but carries some query data. */
const shellElementId = 'shell-data';

/** @returns a JSON script element for the page @param isRendered whether the page already shows this data */
export function writePageData(cache: QueryClient, isRendered = true): string {
  const answers: Answers = cache
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'success')
    .map(({ queryKey, state }) => [queryKey, state.data]);
  const id = isRendered ? elementId : shellElementId;
  return `<script id="${id}" type="application/json">${inlineJson(answers)}</script>`;
}

/**
 * Puts the embedded data into the query cache. It counts as fresh from now on, because the server drops a cached page
 * as soon as its data changes.
 * @returns whether the server rendered this page
 */
export function takePageData(cache: QueryClient): boolean {
  const rendered = document.getElementById(elementId)?.textContent;
  const text = rendered ?? document.getElementById(shellElementId)?.textContent;
  if (!text) return false;
  for (const [key, data] of JSON.parse(text) as Answers) cache.setQueryData(key, data);
  return rendered !== undefined;
}
