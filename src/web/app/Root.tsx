import { HeadContent, Outlet } from '@tanstack/react-router';
import { Toaster } from '../ui/Toaster';
import { useFocusOnHeading } from './useFocusOnHeading';

/** What every screen has, whatever its frame: its title, and the toasts. */
export function Root() {
  useFocusOnHeading();
  return (
    <>
      <HeadContent />
      <Outlet />
      <Toaster />
    </>
  );
}
