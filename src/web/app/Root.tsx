import { HeadContent, Outlet } from '@tanstack/react-router';
import { useShop } from '../settings/queries';
import { ShopFacts } from '../ui/shopFacts';
import { useAfterLoad } from '../ui/afterLoad';
import { useFocusOnHeading } from './useFocusOnHeading';

const loadLater = () => import('./Later');

/** Shared by all screens: the title, announced when it changes, and floating elements such as toasts and dialogs. */
export function Root() {
  const title = useFocusOnHeading();
  const shop = useShop();
  const later = useAfterLoad(loadLater);
  return (
    <ShopFacts value={shop}>
      <HeadContent />
      <Outlet />
      <output className="sr-only">{title}</output>
      {later && <later.Later />}
    </ShopFacts>
  );
}
