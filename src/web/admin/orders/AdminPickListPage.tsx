import { useQuery } from '@tanstack/react-query';
import { packingMessages as messages, type PickListLine, shelfGroups } from '../../../shared/packing';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { printAs } from '../../ui/printAs';
import { useShopTime } from '../../ui/shopTime';
import { AdminHead, Pending } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import form from '../ui/form.module.css';
import { OrdersNotice } from './OrdersNotice';
import { pickListQuery, useChosenOrders } from './packingQueries';
import paper from './paper.module.css';
import styles from './PickList.module.css';
import { PickTable } from './PickTable';
import { usePickTicks } from './usePickTicks';

const orders = { to: '/ordered/products', label: 'Orders' };

/** What is left to ship in the chosen orders, by shelf, to tick off here or on paper. */
export function AdminPickListPage() {
  const ids = useChosenOrders();
  const query = useQuery({ ...pickListQuery(ids), enabled: ids.length > 0 });
  const lines = query.data?.lines ?? [];
  const toPack = [...new Set(lines.flatMap((line) => line.orders.map(({ orderId }) => orderId)))];
  return (
    <div className={`${styles['page']} ${paper['paper']}`}>
      <div className={paper['offPaper']}>
        <AdminHead title="Pick list" back={orders}>
          {lines.length > 0 && (
            <>
              <ButtonLink to="/admin/orders/packing-slips" search={{ ids: toPack }} variant="outline">
                <AdminIcon name="printer" /> Packing slips ({toPack.length})
              </ButtonLink>
              <Button onClick={() => printAs('Pick list')}>
                <AdminIcon name="printer" /> Print pick list
              </Button>
            </>
          )}
        </AdminHead>
      </div>
      {ids.length === 0 && <p className={box['state']}>{messages.noOrders}</p>}
      {ids.length > 0 && (
        <Pending
          query={query}
          failure={messages.getPickList.failure}
          back={orders}
          what="the pick list"
          className={form['waiting']}
        />
      )}
      {query.data && (
        <>
          <OrdersNotice orders={query.data.nothingLeft} text={messages.nothingLeft} />
          {lines.length > 0 && <Shelves ids={ids} lines={lines} orders={toPack.length} readAt={query.dataUpdatedAt} />}
        </>
      )}
    </div>
  );
}

interface ShelvesProps {
  ids: readonly string[];
  lines: PickListLine[];
  orders: number;
  readAt: number;
}

function Shelves({ ids, lines, orders: count, readAt }: ShelvesProps) {
  const ticks = usePickTicks(ids);
  const { timeOf } = useShopTime();
  const units = lines.reduce((sum, line) => sum + line.units, 0);
  return (
    <>
      <p className={`${styles['title']} ${paper['onPaper']}`}>Pick list, {timeOf(new Date(readAt).toISOString())}</p>
      <p className={styles['summary']}>{messages.summary(count, lines.length, units)}</p>
      {shelfGroups(lines).map(({ title, lines: some }) => (
        <PickTable key={title} title={title} lines={some} {...ticks} />
      ))}
    </>
  );
}
