import { HeadContent, Outlet } from '@tanstack/react-router';
import { Toaster } from '../ui/Toaster';
import { useFocusOnHeading } from './useFocusOnHeading';

/** What every screen has, whatever its frame: its title, said aloud when it changes, and the toasts. */
export function Root() {
  const title = useFocusOnHeading();
  return (
    <>
      <HeadContent />
      <Outlet />
      <output className="sr-only">{title}</output>
      <Toaster />
    </>
  );
}
