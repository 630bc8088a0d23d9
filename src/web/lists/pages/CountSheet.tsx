import { useEffect } from 'react';
import { listPageMessages } from '../../../shared/listPages';
import type { ProductList } from '../../../shared/lists';
import { useSizeOf } from '../../catalog/core/useSizeOf';
import { Button } from '../../ui/Button';
import { Heading } from '../../ui/Heading';
import { PageTitle } from '../../ui/PageMeta';
import { printAs } from '../../ui/printAs';
import styles from './CountSheet.module.css';
import type { OrderToPar } from './useOrderToPar';

interface Props {
  list: ProductList;
  /** Undefined while loading. */
  products: OrderToPar['products'] | undefined;
  onClose: () => void;
}

/** The list on paper, in shelf order, with room for the counts. Opens the print dialog once. */
export function CountSheet({ list, products, onClose }: Props) {
  const title = `${listPageMessages.countSheet}: ${list.name}`;
  const sizeOf = useSizeOf();
  const isReady = products !== undefined;
  useEffect(() => (isReady ? printAs(title) : undefined), [isReady, title]);
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <div className={styles['ways']}>
        <Button variant="outline" onClick={onClose}>
          {listPageMessages.backToList}
        </Button>
        <Button onClick={() => printAs(title)}>{listPageMessages.print}</Button>
      </div>
      <article className={styles['sheet']}>
        <Heading as="h1" textStyle="h2" tabIndex={-1}>
          {list.name}
        </Heading>
        <p className={styles['by']}>
          <span>{listPageMessages.date}</span>
          <span>{listPageMessages.countedBy}</span>
        </p>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">Position</span>
              </th>
              <th scope="col">Product</th>
              <th scope="col">Size</th>
              <th scope="col">Par</th>
              <th scope="col">On hand</th>
            </tr>
          </thead>
          <tbody className="tabular">
            {list.items.map(({ productId, par }, place) => (
              <tr key={productId}>
                <td>{place + 1}</td>
                <th scope="row">{products?.get(productId)?.name ?? 'Product'}</th>
                <td>{sizeOf(products?.get(productId))}</td>
                <td>{par}</td>
                <td aria-label={listPageMessages.noNumber} />
              </tr>
            ))}
          </tbody>
        </table>
      </article>
    </>
  );
}
