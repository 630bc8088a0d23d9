import type { AnyRouter } from '@tanstack/react-router';

/**
 * For server-rendered pages. The user may scroll before the app has hydrated: the router must not reset the position,
 * and must record it for coming back.
 */
export function preserveStartScroll(router: AnyRouter): void {
  const { href } = router.latestLocation;
  let isStart = true;
  router.update({
    ...router.options,
    scrollRestoration({ location }) {
      const stays = isStart && location.href === href;
      isStart = false;
      if (stays) document.dispatchEvent(new Event('scroll'));
      return !stays;
    },
  });
}
