import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { formatCount, countOf } from '../../../shared/counts';
import { formatMoney, toCents } from '../../../shared/money';
import { sizeInWords } from '../../../shared/sizes';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { useShopFacts } from '../../ui/shopFacts';
import form from '../ui/form.module.css';
import { AddSizeDialog } from './AddSizeDialog';
import type { StaffProduct } from './queries';
import { useRemoveSize } from './sizes';
import styles from './SizesBox.module.css';

/** The sizes of a product, the product itself too. Rule: docs/rules/catalog.md, Sizes */
export function SizesBox({ product }: { product: StaffProduct }) {
  const { units } = useShopFacts();
  const { id, sizes = [] } = product;
  const [isAdding, setAdding] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const { mutate: remove } = useRemoveSize(sizes, () => add.current?.focus()); // the pressed button is gone
  const stock = sizes.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <section className={form['box']} aria-labelledby="sizes-heading">
      <div className={styles['head']}>
        <h2 id="sizes-heading" className={form['heading']}>
          Sizes
        </h2>
        {sizes.length > 0 && (
          <span className="muted tabular">
            {countOf(sizes.length, 'size')}, {formatCount(stock)} in stock
          </span>
        )}
      </div>
      {sizes.length > 0 ? (
        <ul className={styles['rows']}>
          {sizes.map((size) => (
            <li key={size.id}>
              <span className={styles['name']}>
                {size.id === id ? (
                  <b>{size.name}</b>
                ) : (
                  <Link to="/view/product/$id" params={{ id: size.id }} className="link">
                    {size.name}
                  </Link>
                )}
                <small>
                  {sizeInWords(size, units)}, {formatMoney(toCents(size.price))}
                </small>
              </span>
              {size.archived ? (
                <Badge tone="neutral" hollow>
                  Deleted
                </Badge>
              ) : (
                <span className="tabular">{formatCount(size.quantity)} in stock</span>
              )}
              <IconButton icon="cross" label={`Remove ${size.name} from these sizes`} onClick={() => remove(size.id)} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">One size. To add a new one, edit the product.</p>
      )}
      <div>
        <Button ref={add} variant="outline" onClick={() => setAdding(true)}>
          Add existing product
        </Button>
      </div>
      {isAdding && <AddSizeDialog product={product} onClose={() => setAdding(false)} />}
    </section>
  );
}
