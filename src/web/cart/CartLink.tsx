import { Link } from '@tanstack/react-router';
import { cartMessages } from '../../shared/cartMessages';
import { useSession } from '../server/session';
import { useAfterLoad } from '../ui/afterLoad';
import { Icon } from '../ui/Icon';
import { toast } from '../ui/toast';
import styles from './CartLink.module.css';

/** The basket in the header. It sends visitors to the login and says why. Rule: docs/rules/cart.md, Adding before login */
export function CartLink() {
  const user = useSession();
  return user ? <OwnCartLink userId={user.id} /> : <VisitorCartLink />;
}

const loadCount = () => import('./CartCount');

function OwnCartLink({ userId }: { userId: string }) {
  const part = useAfterLoad(loadCount);
  return (
    <Link to="/cart" className={styles['link']}>
      <Icon name="basket" />
      {part ? <part.CartCount userId={userId} /> : <span className="sr-only">Cart</span>}
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
