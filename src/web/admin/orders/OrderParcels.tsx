import { Suspense, useState } from 'react';
import { parcelMessages as messages } from '../../../shared/parcels';
import { useNameWithSize } from '../../catalog/core/useSizeOf';
import { OnlineButton } from '../../connection/OnlineButton';
import { Button, buttonClass } from '../../ui/Button';
import { lazyPart } from '../../ui/lazyPart';
import { useShopTime } from '../../ui/shopTime';
import { OrderBox } from './OrderBox';
import styles from './OrderPage.module.css';
import type { Paper } from './OrderPaper';
import { type Parcel, useDeleteParcel } from './parcelQueries';
import type { Order } from './queries';
import { trackedAs } from './trackedAs';

const ParcelEditDialog = lazyPart(() => import('./ParcelEditDialog'), 'ParcelEditDialog');

/** The order's parcels, if any: what is in each, and how it is tracked. */
export function OrderParcels({ order, onPrint }: { order: Order; onPrint: (paper: Paper) => void }) {
  const { parcels = [] } = order;
  return parcels.map((parcel, index) => (
    <OrderBox key={parcel.id} id={`parcel-${parcel.id}`} title={messages.place(index + 1)}>
      <ParcelTracking order={order} parcel={parcel} place={index + 1} onPrint={onPrint} />
      <ParcelItems order={order} parcel={parcel} />
    </OrderBox>
  ));
}

interface TrackingProps {
  order: Order;
  parcel: Parcel;
  place: number;
  onPrint: (paper: Paper) => void;
}

function ParcelTracking({ order, parcel, place, onPrint }: TrackingProps) {
  const [isChanging, setChanging] = useState(false);
  const { mutate: remove, isPending } = useDeleteParcel(order.id);
  const { shortTimeOf } = useShopTime();
  const { trackingUrl, shippedAt, by, isNotified } = parcel;
  const isOver = order.orderStatus !== 'PAID' && order.orderStatus !== 'OUT_FOR_DELIVERY';
  return (
    <div className={styles['tracking']}>
      <div>
        <b className={styles['anywhere']}>{trackedAs(parcel)}</b>
        <p className={styles['muted']}>
          {messages.shipped(shortTimeOf(shippedAt), by)} {isNotified ? messages.notified : messages.notNotified}
        </p>
      </div>
      <div className={styles['buttons']}>
        {trackingUrl && (
          <a
            href={trackingUrl}
            className={buttonClass({ variant: 'outline', size: 'sm' })}
            rel="noreferrer"
            target="_blank"
            aria-label={messages.track(place)}
          >
            Track
          </a>
        )}
        <Button
          variant="outline"
          size="sm"
          aria-label={`Edit tracking of package ${place}`}
          onClick={() => setChanging(true)}
        >
          Edit tracking
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={`Print slip of package ${place}`}
          onClick={() => onPrint({ kind: 'Packing slip', parcelId: parcel.id })}
        >
          Print slip
        </Button>
        {!isNotified && !isOver && (
          <OnlineButton
            what="delete a package"
            variant="outline"
            size="sm"
            aria-label={`Delete package ${place}`}
            isBusy={isPending}
            onClick={() => remove(parcel.id)}
          >
            Delete
          </OnlineButton>
        )}
      </div>
      {isChanging && (
        <Suspense>
          <ParcelEditDialog order={order} parcel={parcel} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </div>
  );
}

function ParcelItems({ order, parcel }: { order: Order; parcel: Parcel }) {
  const nameOf = useNameWithSize();
  return (
    <ul className={styles['packed']}>
      {parcel.lines.map(({ orderItemId, quantity }) => {
        const item = order.orderItems.find((each) => each.orderItemId === orderItemId);
        return (
          <li key={orderItemId}>
            <span>{item && nameOf(item)}</span>
            <span className="tabular">{quantity}</span>
          </li>
        );
      })}
    </ul>
  );
}
