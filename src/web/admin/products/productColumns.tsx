import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../shared/counts';
import { categoryTitle } from '../../../shared/catalog';
import { formatMoney, toCents } from '../../../shared/money';
import { productsList } from '../../../shared/productsList';
import { sizeOf } from '../../../shared/sizes';
import { Badge } from '../../ui/Badge';
import { useShopFacts } from '../../ui/shopFacts';
import { Thumbnail } from '../../ui/Thumbnail';
import { RowMenu } from '../table/RowMenu';
import { columnsOf } from '../table/useDataTable';
import styles from './products.module.css';
import { type StaffProduct, useRestoreProduct } from './queries';

/** Rule: docs/rules/back-office.md, Lists */
export const productColumns = (onDelete: (product: StaffProduct) => void) =>
  columnsOf<typeof productsList, StaffProduct>(
    productsList,
    {
      name: { render: (product) => <Name {...product} />, onPhone: 'title' },
      price: { render: ({ price }) => formatMoney(toCents(price)) },
      availability: { render: ({ availability }) => <StockBadge isAvailable={availability} /> },
      quantity: { render: ({ quantity }) => formatCount(quantity), onPhone: 'named' },
      category: { render: ({ productCategory }) => categoryTitle(productCategory), isMuted: true },
    },
    (product) => <ProductMenu product={product} onDelete={onDelete} />,
  );

function Name(product: StaffProduct) {
  const { units } = useShopFacts();
  const { id, name, imageUrl, archivedAt, sizeGroup } = product;
  const size = sizeGroup && sizeOf(product, units);
  return (
    <span className={styles['product']}>
      <Thumbnail imageUrl={imageUrl} />
      <span>
        <Link to="/view/product/$id" params={{ id }} className={styles['name']}>
          {name}
        </Link>
        {size && <span className={styles['below']}>{size}</span>}
        {archivedAt && <span className={styles['below']}>Deleted</span>}
      </span>
    </span>
  );
}

/** Available or Not Available, as customers see it. */
export function StockBadge({ isAvailable }: { isAvailable: boolean }) {
  return isAvailable ? (
    <Badge tone="success">Available</Badge>
  ) : (
    <Badge tone="neutral" hollow>
      Not Available
    </Badge>
  );
}

function ProductMenu({ product, onDelete }: { product: StaffProduct; onDelete: (product: StaffProduct) => void }) {
  const { mutate: restore } = useRestoreProduct();
  const { id, name, archivedAt } = product;
  return (
    <RowMenu
      of={name}
      entries={[
        { label: 'View Product', icon: 'eye', to: `/view/product/${id}` },
        { label: 'Edit Product', icon: 'edit', to: `/update/product/${id}` },
        archivedAt
          ? { label: 'Restore Product', icon: 'sync', onSelect: () => restore(id) }
          : { label: 'Delete Product', icon: 'trash', isDangerous: true, onSelect: () => onDelete(product) },
      ]}
    />
  );
}
