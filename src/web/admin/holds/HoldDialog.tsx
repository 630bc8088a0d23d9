import { formatCount } from '../../../shared/counts';
import { formatMoney, toCents } from '../../../shared/money';
import { useNameWithSize } from '../../catalog/core/useSizeOf';
import { Modal, ModalActions } from '../../ui/Modal';
import { useShopTime } from '../../ui/shopTime';
import { Facts } from '../ui/Facts';
import styles from './holds.module.css';
import type { Hold } from './queries';

/** Everything that one order holds. */
export function HoldDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const { fullName, email, orderNumber, since, until, isEnding, totalAmount, lines } = hold;
  const { timeOf } = useShopTime();
  const nameOf = useNameWithSize();
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
            {lines.map((line) => (
              <tr key={line.productId}>
                <td>{nameOf(line)}</td>
                <td className="tabular">{`${formatCount(line.units)} of ${formatCount(line.stock)}`}</td>
                <td className="tabular">{Math.round((100 * line.units) / line.stock)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ModalActions onClose={onClose} closeText="Close" />
    </Modal>
  );
}
