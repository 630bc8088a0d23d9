/**
 * Preloads what is likely to be needed next: the page under the pointer or finger (`defaultPreload` in shop.tsx), the
 * next page of a list in view, and the product page's code when products are in view. Nothing is preloaded with data
 * saver on.
 */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { savesData } from '../browser/dataUse';
import { afterLoad } from './afterLoad';

/** For a link whose page is preloaded once the link is in view. */
export const preloadInView = (): { preload?: 'viewport' } =>
  typeof window === 'undefined' || savesData() ? {} : { preload: 'viewport' };

/** @returns a ref for the element that, once in view, triggers loading the product page's code */
export function usePreloadedProductPage<Shown extends Element>(): RefObject<Shown | null> {
  const shown = useRef<Shown>(null);
  const router = useRouter();
  useEffect(() => {
    if (!shown.current || savesData()) return undefined;
    let isMounted = true;
    const load = () => router.loadRouteChunk(router.routesByPath['/customer/view/product/$id']);
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      afterLoad(() => void (isMounted && load()?.catch(() => undefined))); // navigation tries again
    });
    watch.observe(shown.current);
    return () => {
      isMounted = false;
      watch.disconnect();
    };
  }, [router]);
  return shown;
}
