import type { ComponentProps } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { SentProduct } from '../../../shared/catalogForms';
import { productMessages, sizesMessages } from '../../../shared/catalogStaff';
import { Icon } from '../../ui/Icon';
import { useShopFacts } from '../../ui/shopFacts';
import { SaveOrCancel } from '../ui/SaveOrCancel';
import styles from './SaveBar.module.css';
import { netFields, type ProductFormValues, type SizeRow } from './sizeRows';
import { unsavedChanges } from './unsavedChanges';
import type { PhotosForm } from './usePhotos';

interface Props extends Omit<ComponentProps<typeof SaveOrCancel>, 'what'> {
  product: Pick<UseFormReturn<ProductFormValues, unknown, SentProduct>, 'control' | 'formState'>;
  /** The rows of sizes as the form last showed them from the shop. */
  opened: readonly SizeRow[];
  photos: PhotosForm;
  isUnsaved: boolean;
  /** Sizes that a colleague changed too, so that the last save was refused. */
  changedSizes: readonly string[];
}

/**
 * Save and Cancel below a product's form. While something is unsaved they stay in sight, and the bar says what it is.
 * Rule: docs/rules/catalog.md, Product form
 */
export function SaveBar({ product, opened, photos, isUnsaved, changedSizes, ...buttons }: Props) {
  const { control, formState } = product;
  const [sizes, unitSize, netGrams, netMillilitres] = useWatch({ control, name: ['sizes', ...netFields] });
  const { units } = useShopFacts();
  const values = { unitSize, netGrams, netMillilitres, sizes };
  const changes = unsavedChanges({ dirty: formState.dirtyFields, values, opened, photos, units });
  const isRefused = changedSizes.length > 0;
  return (
    <div className={`${styles['bar']} ${isUnsaved ? styles['unsaved'] : ''}`}>
      {isRefused && (
        <p role="alert" className={styles['problem']}>
          <Icon name="alert" size={16} />
          {sizesMessages.changedMeanwhile(changedSizes)}
        </p>
      )}
      {isUnsaved && !isRefused && <p className={styles['changes']}>{productMessages.unsavedChanges(changes)}</p>}
      <SaveOrCancel what="save" {...buttons} />
    </div>
  );
}
