import { AddressLines } from '../../../ui/AddressLines';
import { Badge } from '../../../ui/Badge';
import form from '../../ui/form.module.css';
import type { User } from '../queries';
import styles from './customer.module.css';

/** All addresses of a user who has several; the one of the latest order is marked. */
export function MoreAddresses({ addresses }: Pick<User, 'addresses'>) {
  if (addresses.length < 2) return null;
  return (
    <section className={form['box']} aria-labelledby="addresses-heading">
      <h2 id="addresses-heading" className={form['heading']}>
        All addresses
      </h2>
      <ul className={styles['addresses']}>
        {addresses.map((address) => (
          <li key={address.id}>
            <address>
              <AddressLines address={address} />
            </address>
            {address.isLastUsed && <Badge tone="neutral">Last used</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
}
