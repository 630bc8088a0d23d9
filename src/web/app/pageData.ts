import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { inlineJson } from '../ui/PageMeta';

/** The answers that a page was drawn from; they travel in it, so that the browser does not ask for them again. */
type Answers = [key: QueryKey, data: unknown][];

const elementId = 'page-data';
/** Of a page that the server did not draw, but gave some answers to. */
const shellElementId = 'shell-data';

/** @returns a data block for the page @param isDrawn whether it shows these answers already */
export function writePageData(cache: QueryClient, isDrawn = true): string {
  const answers: Answers = cache
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'success')
    .map(({ queryKey, state }) => [queryKey, state.data]);
  const id = isDrawn ? elementId : shellElementId;
  return `<script id="${id}" type="application/json">${inlineJson(answers)}</script>`;
}

/**
 * Puts the page's answers into the cache. They count as fresh from now: the server drops a page that it keeps as soon as
 * something in it is no longer so.
 * @returns whether the server drew this page
 */
export function takePageData(cache: QueryClient): boolean {
  const drawn = document.getElementById(elementId)?.textContent;
  const text = drawn ?? document.getElementById(shellElementId)?.textContent;
  if (!text) return false;
  for (const [key, data] of JSON.parse(text) as Answers) cache.setQueryData(key, data);
  return drawn !== undefined;
}
