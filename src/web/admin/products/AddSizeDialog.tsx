import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogMessages } from '../../../shared/catalog';
import { formatMoney, toCents } from '../../../shared/money';
import { sizeInWords } from '../../../shared/sizes';
import { ReadFailure } from '../../connection/ReadFailure';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Waiting } from '../../ui/Waiting';
import { useShopFacts } from '../../ui/shopFacts';
import form from '../ui/form.module.css';
import type { StaffProduct } from './queries';
import { sizeCandidatesQuery, useAddSize } from './sizes';
import styles from './SizesBox.module.css';

interface Props {
  product: StaffProduct;
  onClose: () => void;
}

/** Finds the product that becomes another size. One that is a size of others already is moved only if staff confirm. */
export function AddSizeDialog({ product, onClose }: Props) {
  const { units } = useShopFacts();
  const [text, setText] = useState('');
  const [taken, setTaken] = useState<StaffProduct>();
  const read = useQuery(sizeCandidatesQuery(text.trim()));
  const { mutate: add } = useAddSize(product, { onDone: onClose, onTaken: setTaken });
  const known = new Set([product.id, ...(product.sizes ?? []).map(({ id }) => id)]);
  const found = read.data?.filter(({ id }) => !known.has(id));
  if (taken) {
    return (
      <ConfirmDialog
        title={`Move ${taken.name}?`}
        text="It's a size of other products now. They keep their other sizes."
        action="Move"
        onConfirm={() => add({ other: taken, move: true })}
        onClose={onClose}
      />
    );
  }
  return (
    <Modal title="Add an existing product" onClose={onClose}>
      <div className={form['stack']}>
        <TextField
          label="Product"
          hint={`The product that is another size of ${product.name}.`}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {found && found.length > 0 && (
          <ul className={styles['found']} aria-label="Products found">
            {found.map((other) => (
              <li key={other.id}>
                <button type="button" onClick={() => add({ other, move: false })}>
                  {other.name}
                  <small>
                    {sizeInWords(other, units)}, {formatMoney(toCents(other.price))}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        )}
        {found?.length === 0 && <output className="muted">No products found. Try another name.</output>}
        {!found && read.error && <ReadFailure read={read} failure={catalogMessages.listProducts.failure} />}
        {!found && !read.error && (
          <Waiting what="products">
            <SkeletonRows />
          </Waiting>
        )}
        <ModalActions onClose={onClose} />
      </div>
    </Modal>
  );
}
