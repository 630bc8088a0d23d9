import { useEffect, useState } from 'react';
import { type Path, type UseFormReturn, useWatch } from 'react-hook-form';
import { productForm } from '../../../shared/catalogForms';
import { stockReasons } from '../../../shared/catalogStaff';
import { pictureMessages } from '../../../shared/pictureUploads';
import { ApiError } from '../../server/errors';
import { useShopForm } from '../../forms/useShopForm';
import { toast } from '../../ui/toast';
import form from '../ui/form.module.css';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import type { FormFields } from '../staffCalls';
import { type Conflict, differencesOf, ProductConflict } from './ProductConflict';
import { MoreFields, ProductFields } from './ProductFields';
import styles from './ProductForm.module.css';
import { SaveBar } from './SaveBar';
import { PhotosField } from './PhotosField';
import { amountsOf, fieldLabels, type ProductValues } from './productValues';
import type { StaffProduct } from './queries';
import { type ProductFormValues, sizeFields, type SizeRow } from './sizeRows';
import { SizesTable } from './SizesTable';
import { type SizeRows, useSizeRows } from './useSizeRows';
import { type PhotosForm, type SavedPhoto, usePhotos } from './usePhotos';

/**
 * The form's initial values, or the last state known from the shop; for an existing product also its version and
 * quantity.
 */
export interface Basis {
  values: ProductValues;
  /** The other sizes. */
  sizes?: SizeRow[];
  /** The place of the product itself among its sizes. */
  ownPlace?: number;
  version?: number;
  quantityWas?: number;
}

/** A form that is being saved, with callbacks for the result. */
export interface Saving {
  /** As parsed by the form's rules: strings and lists. */
  values: FormFields;
  photos: PhotosForm;
  sizes: SizeRows;
  /**
   * Called when the fields are saved; photos may still be uploading.
   * @param quantity the shop's quantity after the save
   * @returns the form's new initial values
   */
  isSaved: (quantity: number) => ProductValues;
  /**
   * Called when the save was rejected because a colleague has changed the product.
   * @param now its current state
   * @param quantityWas the quantity that the form's quantity was based on; with a conflict, it is then based on the
   * current one
   * @param errors the fields that differ, also those of other sizes
   * @returns whether there is a conflict; none if the form already has the shop's values
   */
  showChange: (now: StaffProduct, quantityWas: number, errors: ApiError['errors']) => boolean;
  /** Nothing is unsaved anymore, so the form may be left. */
  allowLeaving: () => void;
}

/** Sizes that a colleague changed too, so that the last save was refused. */
interface ChangedSizes {
  names: readonly string[];
  /** Their first field, which gets the focus unless the conflict panel does. */
  first?: Path<ProductFormValues> | undefined;
}

interface Props {
  basis: Basis;
  /** The product's photos when the form was opened. */
  savedPhotos: readonly SavedPhoto[];
  cancelTo: string;
  isSaving: boolean;
  error: unknown;
  onSave: (form: Saving) => void;
}

export const draftName = (cancelTo: string) => `product ${cancelTo}`;

/**
 * The product form: fields at the left, the photos at the right; on a phone the photos are between required and
 * optional fields.
 * Rule: docs/rules/catalog.md, Product form
 */
export function ProductForm({ basis, savedPhotos, cancelTo, isSaving, error, onSave }: Props) {
  const { values, sizes: openedSizes = [], ownPlace = 0 } = basis;
  const defaultValues: ProductFormValues = { ...values, stockReason: stockReasons[0], sizes: openedSizes };
  const product = useShopForm(productForm, { defaultValues });
  const { field, handleSubmit, formState, setError, getValues, setValue, setFocus, control } = product;
  const sizes = useSizeRows(product, openedSizes);
  const hasSizes = useWatch({ control, name: 'sizes' }).length > 0;
  const hidden = hasSizes ? sizeFields : [];
  useStaffDraft(draftName(cancelTo), product, { basis });
  const photos = usePhotos(savedPhotos);
  const isUnsaved = formState.isDirty || photos.isChanged;
  const { question, allowLeaving } = useLeaveGuard(isUnsaved);
  const [conflict, setConflict] = useState<Conflict>();
  const [changed, setChanged] = useState<ChangedSizes>({ names: [] });
  useEffect(() => {
    if (changed.first) setFocus(changed.first); // only now, because the rows were rendered anew
  }, [changed, setFocus]);
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'product_changed') return; // the conflict panel shows both values instead
    for (const { field, message } of error.errors)
      if (!field.startsWith('sizes.')) setError(field as keyof ProductValues, { message });
    sizes.showErrors(error.errors);
    // oxlint-disable-next-line react/exhaustive-deps -- an error is shown once
  }, [error, setError]);
  const save = handleSubmit((checked) => {
    if (photos.now().entries.some((photo) => photo.error)) return toast.error(pictureMessages.notSaved);
    const sent = { ...getValues() };
    setConflict(undefined);
    setChanged({ names: [] });
    onSave({
      values: { ...checked, sizes: undefined, ...(hasSizes && { stockReason: getValues('stockReason') }) },
      photos,
      sizes,
      isSaved: (quantity) => {
        return restartFrom(product, sent, { ...sent, ...amountsOf(sent), quantity: String(quantity) });
      },
      showChange: (now, was, errors) => {
        const { quantity } = now;
        const differences = differencesOf(now, values, getValues());
        const { isConflict, changedSizes: names, first } = sizes.showChange(now, errors);
        setChanged({ names, first: differences.length === 0 ? first : undefined });
        if (differences.length === 0) return isConflict;
        const counted = quantity + Number(getValues('quantity')) - was;
        setValue('quantity', String(counted), { shouldDirty: true, shouldValidate: true });
        setConflict({ differences, stock: quantity === was ? undefined : { was, now: quantity } });
        return true;
      },
      allowLeaving,
    });
  });
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <div className={`${form['grid']} ${styles['parts']}`}>
        <div className={`${form['stack']} ${styles['first']}`}>
          {conflict && (
            <ProductConflict
              {...conflict}
              onChoose={(name, value) => setValue(name, value, { shouldDirty: true, shouldValidate: true })}
            />
          )}
          <ProductFields field={field} values={values} hidden={hidden} />
        </div>
        <PhotosField photos={photos} />
        <SizesTable product={product} ownPlace={ownPlace} isNew={basis.version === undefined} />
        <MoreFields field={field} values={values} hidden={hidden} />
      </div>
      <SaveBar
        product={product}
        opened={sizes.opened}
        photos={photos}
        isUnsaved={isUnsaved}
        changedSizes={changed.names}
        isBusy={isSaving}
        cancelTo={cancelTo}
      />
      {question}
    </form>
  );
}

/** Makes `now` the form's initial values; what was typed since `sent` stays as an unsaved change. */
function restartFrom(
  { getValues, resetField, setValue }: Pick<UseFormReturn<ProductFormValues>, 'getValues' | 'resetField' | 'setValue'>,
  sent: ProductValues,
  now: ProductValues,
): ProductValues {
  for (const field of Object.keys(fieldLabels) as (keyof ProductValues)[]) {
    const typed = getValues(field);
    resetField(field, { defaultValue: now[field] });
    if (typed !== sent[field]) setValue(field, typed, { shouldDirty: true });
  }
  return now;
}
