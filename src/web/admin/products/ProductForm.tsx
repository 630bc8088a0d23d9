import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { productForm } from '../../../shared/catalogForms';
import { pictureMessages } from '../../../shared/pictureUploads';
import { ApiError } from '../../server/errors';
import { useShopForm } from '../../forms/useShopForm';
import { toast } from '../../ui/toast';
import form from '../ui/form.module.css';
import { SaveOrCancel } from '../ui/SaveOrCancel';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import type { FormFields } from '../staffCalls';
import { ConflictPanel } from './ConflictPanel';
import { type Conflict, differencesOf } from './ConflictPanel';
import { MoreFields, ProductFields } from './ProductFields';
import { PictureField, type PictureChoice } from './PictureField';
import { amountsOf, fieldLabels, type ProductValues } from './productValues';
import type { StaffProduct } from './queries';

/** What a form began with, or the shop had when it was last told; of a product that there is, which that was. */
export interface Basis {
  values: ProductValues;
  version?: number;
  quantityWas?: number;
}

/** A form that is being saved, and what it has to hear of that. */
export interface Saving {
  /** As the form's rules made it: texts and lists. */
  values: FormFields;
  picture: PictureChoice;
  /**
   * The fields are saved; a picture is still on its way.
   * @param quantity that the shop has since
   * @returns what the form begins with now
   */
  isSaved: (quantity: number) => ProductValues;
  /**
   * The save was refused because somebody else changed the product.
   * @param now what it is now
   * @param quantityWas what the form's quantity counted from; where there is something to choose, it counts from now on
   * @returns whether there is anything to choose: the form may have what the shop has
   */
  showChange: (now: StaffProduct, quantityWas: number) => boolean;
  /** Nothing is unsaved any more: it may be left. */
  letGo: () => void;
}

interface Props {
  basis: Basis;
  /** The picture that the product has now. */
  imageUrl: string | null;
  cancelTo: string;
  isSaving: boolean;
  /** Of an upload: 0 to 1. */
  progress: number | undefined;
  error: unknown;
  onSave: (form: Saving) => void;
}

export const draftName = (cancelTo: string) => `product ${cancelTo}`;

/**
 * The form of a product: fields at the left, the picture at the right; on a phone between what it needs and the rest.
 * Rule: docs/rules/catalog.md, Product form
 */
export function ProductForm({ basis, imageUrl, cancelTo, isSaving, progress, error, onSave }: Props) {
  const { values } = basis;
  const product = useShopForm(productForm, { defaultValues: values });
  const { field, handleSubmit, formState, setError, getValues, setValue } = product;
  useStaffDraft(draftName(cancelTo), product, { basis });
  const [picture, setPicture] = useState<PictureChoice>();
  const { question, letGo } = useLeaveGuard(formState.isDirty || picture !== undefined);
  const [conflict, setConflict] = useState<Conflict>();
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'product_changed') return; // both values are shown instead
    for (const { field, message } of error.errors) setError(field as keyof ProductValues, { message });
  }, [error, setError]);
  const save = handleSubmit((checked) => {
    if (picture === 'refused') return toast.error(pictureMessages.notSaved);
    const sent = { ...getValues() };
    setConflict(undefined);
    onSave({
      values: { ...checked },
      picture,
      isSaved: (quantity) => {
        return beginAgain(product, sent, { ...sent, ...amountsOf(sent), quantity: String(quantity) });
      },
      showChange: (now, was) => {
        const { quantity } = now;
        const differences = differencesOf(now, values, getValues());
        if (differences.length === 0) return false;
        const counted = quantity + Number(getValues('quantity')) - was;
        setValue('quantity', String(counted), { shouldDirty: true, shouldValidate: true });
        setConflict({ differences, stock: quantity === was ? undefined : { was, now: quantity } });
        return true;
      },
      letGo,
    });
  });
  return (
    <form className={form['grid']} noValidate onSubmit={(event) => void save(event)}>
      <div className={form['stack']}>
        {conflict && (
          <ConflictPanel
            {...conflict}
            onChoose={(name, value) => setValue(name, value, { shouldDirty: true, shouldValidate: true })}
          />
        )}
        <ProductFields field={field} values={values} />
      </div>
      <PictureField imageUrl={imageUrl} choice={picture} progress={progress} onChoose={setPicture} />
      <MoreFields field={field} values={values} />
      <SaveOrCancel what="Saving" isBusy={isSaving} cancelTo={cancelTo} />
      {question}
    </form>
  );
}

/** Input since `sent` becomes a change of `now`. */
function beginAgain(
  { getValues, resetField, setValue }: Pick<UseFormReturn<ProductValues>, 'getValues' | 'resetField' | 'setValue'>,
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
