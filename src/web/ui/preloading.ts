/**
 * Preloads what is likely to be wanted next: the page that a pointer or a finger is on
 * (`defaultPreload` of shop.tsx), the next page of a list that is in view, and the code of the product page where products
 * are in view. Whoever saves data gets only what was asked for.
 */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { savesData } from '../browser/dataUse';
import { afterLoad } from './afterLoad';

/** For a link whose page is fetched once the link is in view. */
export const preloadInView = (): { preload?: 'viewport' } =>
  typeof window === 'undefined' || savesData() ? {} : { preload: 'viewport' };

/** @returns for the element that, once in view, has the product page's code fetched */
export function usePreloadedProductPage<Shown extends Element>(): RefObject<Shown | null> {
  const shown = useRef<Shown>(null);
  const router = useRouter();
  useEffect(() => {
    if (!shown.current || savesData()) return undefined;
    let isWanted = true;
    const load = () => router.loadRouteChunk(router.routesByPath['/customer/view/product/$id']);
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      afterLoad(() => void (isWanted && load()?.catch(() => undefined))); // asked for again by who goes there
    });
    watch.observe(shown.current);
    return () => {
      isWanted = false;
      watch.disconnect();
    };
  }, [router]);
  return shown;
}
