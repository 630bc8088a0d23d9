import { Link, useLocation } from '@tanstack/react-router';
import { intentMessages } from '../../shared/intent';
import banner from '../connection/OfflineBanner.module.css';
import { useIsOnline } from '../server/reachability';
import { LaterIcon } from '../ui/LaterIcon';
import { useIntent } from './intent';

/**
 * Shown on every page while online, as long as an order is waiting on this device.
 * @param props.isEmptied the cart is empty now: another device may have placed the order
 */
export function ReadyBanner({ userId, isEmptied }: { userId: string; isEmptied: boolean }) {
  const intent = useIntent(userId);
  const isOnline = useIsOnline();
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (!intent || isEmptied || !isOnline || path === '/checkout/waiting') return <output />;
  return (
    <output className={`${banner['banner']} ${banner['back']}`}>
      <span className={`wrap ${banner['line']}`}>
        <LaterIcon name="clock" />
        <span>{intentMessages.ready}</span>
        <Link to="/checkout/waiting" className={`link ${banner['see']}`}>
          {intentMessages.see}
        </Link>
      </span>
    </output>
  );
}
