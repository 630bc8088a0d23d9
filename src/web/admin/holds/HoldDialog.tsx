import { formatCount } from '../../../shared/counts';
import { formatMoney, toCents } from '../../../shared/money';
import { Modal, ModalActions } from '../../ui/Modal';
import { useShopTime } from '../../ui/shopTime';
import { Facts } from '../ui/Facts';
import styles from './holds.module.css';
import type { Hold } from './queries';

/** Everything that one order holds. */
export function HoldDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const { fullName, email, orderNumber, since, until, isEnding, totalAmount, lines } = hold;
  const { timeOf } = useShopTime();
  return (
    <Modal title={`Stock reserved for ${fullName}`} onClose={onClose}>
      <Facts
        rows={[
          ['Email', email],
          ['Order', `#${orderNumber}, ${formatMoney(toCents(totalAmount))}`],
          ['Since', timeOf(since)],
          ['Until', timeOf(until)],
          ['Releasing', isEnding ? 'When the payment provider responds' : null],
        ]}
      />
      <div className={styles['all']}>
        <table>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">Reserved</th>
              <th scope="col">Share of stock</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ productId, productName, units, stock }) => (
              <tr key={productId}>
                <td>{productName}</td>
                <td className="tabular">{`${formatCount(units)} of ${formatCount(stock)}`}</td>
                <td className="tabular">{Math.round((100 * units) / stock)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ModalActions onClose={onClose} closeText="Close" />
    </Modal>
  );
}
