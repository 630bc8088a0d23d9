import { useQuery } from '@tanstack/react-query';
import { unitsLeft } from '../../../shared/orderUnits';
import { packingMessages as messages } from '../../../shared/packing';
import { Button } from '../../ui/Button';
import { printAs } from '../../ui/printAs';
import { AdminHead, Pending } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import { OrdersNotice } from './OrdersNotice';
import { PackingSlip } from './PackingSlip';
import styles from './PackingSlip.module.css';
import { packingSlipsQuery, useChosenOrders } from './packingQueries';
import paper from './paper.module.css';
import type { Order } from './queries';

const back = { to: '/ordered/products', label: 'Orders' };

/** The packing slips of the chosen orders as they are printed, each on its own page. */
export function AdminPackingSlipsPage() {
  const ids = useChosenOrders();
  const query = useQuery({ ...packingSlipsQuery(ids), enabled: ids.length > 0 });
  const orders = query.data?.orders ?? [];
  return (
    <>
      <div className={paper['offPaper']}>
        <AdminHead title="Packing slips" back={back}>
          {orders.length > 0 && (
            <Button onClick={() => printAs(fileName(orders))}>
              <AdminIcon name="printer" /> Print {messages.slips(orders.length)}
            </Button>
          )}
        </AdminHead>
      </div>
      {ids.length === 0 && <p className={box['state']}>{messages.noOrders}</p>}
      {ids.length > 0 && (
        <Pending
          query={query}
          failure={messages.getPackingSlips.failure}
          back={back}
          what="the packing slips"
          className={form['waiting']}
        />
      )}
      {query.data && (
        <>
          <OrdersNotice orders={query.data.nothingLeft} text={messages.nothingLeft} />
          <OrdersNotice orders={orders.filter((order) => unitsLeft(order) === 0)} text={messages.shipped} />
        </>
      )}
      {orders.length > 0 && (
        <div className={`${styles['slips']} ${paper['paper']}`}>
          {orders.map((order) => (
            <PackingSlip key={order.id} order={order} />
          ))}
        </div>
      )}
    </>
  );
}

const fileName = ([order, ...others]: Order[]): string =>
  order && others.length === 0 ? `Packing slip ${order.orderNumber}` : 'Packing slips';
