import type { AnyRouter } from '@tanstack/react-router';

/**
 * For a page that the server drew. It could be scrolled before the app took it over: it stays where it is, which the
 * router would take for the top; and the router learns of it, to come back there.
 */
export function keepStartScroll(router: AnyRouter): void {
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
