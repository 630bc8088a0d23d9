import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { PickListLine } from '../../../shared/packing';
import { useNameWithSize, useSizeOf } from '../../catalog/core/useSizeOf';
import { Thumbnail } from '../../ui/Thumbnail';
import check from '../table/CheckBox.module.css';
import box from '../ui/box.module.css';
import styles from './PickList.module.css';

interface Ticks {
  isTicked: (line: PickListLine) => boolean;
  setTick: (line: PickListLine, isOn: boolean) => void;
}

/** The lines of one row of shelves. */
export function PickTable({ title, lines, ...ticks }: { title: string; lines: PickListLine[] } & Ticks) {
  return (
    <section className={`${box['box']} ${styles['box']}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <table className={`${box['table']} ${styles['table']}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Picked</span>
            </th>
            <th scope="col">Shelf</th>
            <th scope="col">Product</th>
            <th scope="col">SKU</th>
            <th scope="col" className={styles['figure']}>
              Pick
            </th>
            <th scope="col">Orders</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <PickRow key={line.productId} line={line} {...ticks} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PickRow({ line, isTicked, setTick }: { line: PickListLine } & Ticks) {
  const name = useNameWithSize()(line);
  const isPicked = isTicked(line);
  return (
    <tr className={isPicked ? styles['picked'] : undefined}>
      <td className={styles['check']}>
        <Tick name={name} isPicked={isPicked} onChange={(isOn) => setTick(line, isOn)} />
      </td>
      <td className={`${styles['shelf']} ${line.shelf === null ? styles['without'] : ''}`}>{line.shelf ?? '–'}</td>
      <td className={styles['product']}>
        <Product line={line} />
      </td>
      <td className={`${styles['sku']} ${line.sku || line.barcode ? '' : styles['without']}`}>
        {line.sku ?? (line.barcode ? '' : '–')}
        {line.barcode && <small>{line.barcode}</small>}
      </td>
      <td className={`${styles['figure']} ${styles['units']} tabular`}>{line.units}</td>
      <td className={styles['orders']}>
        {line.orders.map(({ orderId, orderNumber }, at) => (
          <Fragment key={orderId}>
            {at > 0 && ' '}
            <Link to="/admin/orders/$orderId" params={{ orderId }}>
              #{orderNumber}
              {at < line.orders.length - 1 && ','}
            </Link>
          </Fragment>
        ))}
      </td>
    </tr>
  );
}

interface TickProps {
  name: string;
  isPicked: boolean;
  onChange: (isOn: boolean) => void;
}

const Tick = ({ name, isPicked, onChange }: TickProps) => (
  <label className={check['place']}>
    <input
      type="checkbox"
      className={`${check['box']} ${styles['tick']}`}
      checked={isPicked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span className="sr-only">Picked: {name}</span>
  </label>
);

function Product({ line }: { line: PickListLine }) {
  const size = useSizeOf()(line);
  return (
    <div>
      <span className={styles['picture']}>
        <Thumbnail imageUrl={line.imageUrl} />
      </span>
      <span>
        <b>{line.productName}</b>
        {size && <small>{size}</small>}
      </span>
    </div>
  );
}
