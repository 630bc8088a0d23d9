import { useLocation } from '@tanstack/react-router';
import { useSession } from '../server/session';
import { Toaster } from '../ui/Toaster';
import { UpdateToast } from './UpdateToast';

/** The toasts of all screens. Rule: docs/rules/screens.md, Toasts */
export function Toasts() {
  const page = useLocation({ select: ({ pathname }) => pathname });
  return (
    <Toaster userId={useSession()?.id} page={page}>
      <UpdateToast />
    </Toaster>
  );
}
