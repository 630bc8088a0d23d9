import { Link } from '@tanstack/react-router';
import { cartMessages } from '../../shared/cart';
import { useSession } from '../server/session';
import { Icon } from '../ui/Icon';
import { toast } from '../ui/toast';
import styles from './CartLink.module.css';
import { useCartUnits } from './queries';

/** The basket in the header. It sends visitors to the login and says why. Rule: docs/rules/cart.md, Adding before login */
export function CartLink() {
  const user = useSession();
  return user ? <OwnCartLink userId={user.id} /> : <VisitorCartLink />;
}

function OwnCartLink({ userId }: { userId: string }) {
  const count = useCartUnits(userId);
  return (
    <Link to="/cart" className={styles['link']} aria-label={`Cart, ${count} ${count === 1 ? 'item' : 'items'}`}>
      <Icon name="basket" />
      {count > 0 && (
        <span className={styles['count']} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}

function VisitorCartLink() {
  return (
    <Link
      to="/login"
      search={{ redirect: '/cart' }}
      className={styles['link']}
      aria-label="Cart"
      onClick={() => toast.warning(cartMessages.loginToSee)}
      data-needs-app=""
    >
      <Icon name="basket" />
    </Link>
  );
}
