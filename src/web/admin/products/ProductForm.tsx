import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { productForm } from '../../../shared/catalogForms';
import { ApiError } from '../../api/apiError';
import { OnlineButton } from '../../offline/OnlineButton';
import { ButtonLink } from '../../ui/ButtonLink';
import form from '../form.module.css';
import { useLeaveGuard } from '../useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import type { FormFields } from '../staffCalls';
import { ConflictPanel } from './ConflictPanel';
import { type Difference, differencesOf } from './conflict';
import { MoreFields, ProductFields } from './ProductFields';
import { PictureField, type PictureChoice } from './PictureField';
import type { ProductValues } from './productValues';
import type { StaffProduct } from './queries';

interface Props {
  values: ProductValues;
  /** The picture that the product has now. */
  imageUrl: string | null;
  cancelTo: string;
  isSaving: boolean;
  /** Of an upload: 0 to 1. */
  progress: number | undefined;
  error: unknown;
  /** As it is now, when the save was refused because somebody else changed it. */
  changed?: StaffProduct | undefined;
  /** @param isSaved tells the form that it may be left now */
  onSave: (values: FormFields, picture: PictureChoice, isSaved: () => void) => void;
}

/** The form of a product: fields at the left, the picture at the right; on a phone between what it needs and the rest. Source: specification §5 */
export function ProductForm({ values, imageUrl, cancelTo, isSaving, progress, error, changed, onSave }: Props) {
  const product = useForm<ProductValues>({
    resolver: zodResolver(productForm) as never, // the rules make lists of some of the texts
    defaultValues: values,
    mode: 'onTouched',
  });
  const { register, handleSubmit, formState, setError, getValues, setValue } = product;
  useStaffDraft(`product ${cancelTo}`, product);
  const { errors, isDirty } = formState;
  const [picture, setPicture] = useState<PictureChoice>();
  const { question, letGo } = useLeaveGuard(isDirty || picture !== undefined);
  const [conflict, setConflict] = useState<{ with?: StaffProduct; differences: Difference[] }>({ differences: [] });
  if (changed && changed !== conflict.with) {
    setConflict({ with: changed, differences: differencesOf(changed, values, getValues()) });
  }
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'product_changed') return; // both values are shown instead
    for (const { field, message } of error.errors) setError(field as keyof ProductValues, { message });
  }, [error, setError]);
  const field = (name: keyof ProductValues) => ({ ...register(name), error: errors[name]?.message });
  const save = handleSubmit((checked) => {
    setConflict((before) => ({ ...before, differences: [] }));
    onSave({ ...checked }, picture, letGo);
  });
  return (
    <form className={form['grid']} noValidate onSubmit={(event) => void save(event)}>
      <div className={form['stack']}>
        {conflict.differences.length > 0 && (
          <ConflictPanel
            differences={conflict.differences}
            onChoose={(name, value) => setValue(name, value, { shouldDirty: true, shouldValidate: true })}
          />
        )}
        <ProductFields field={field} values={values} />
      </div>
      <PictureField imageUrl={imageUrl} choice={picture} progress={progress} onChoose={setPicture} />
      <MoreFields field={field} values={values} />
      <div className={form['actions']}>
        <OnlineButton what="Saving" type="submit" isBusy={isSaving}>
          Save
        </OnlineButton>
        <ButtonLink to={cancelTo} variant="ghost">
          Cancel
        </ButtonLink>
      </div>
      {question}
    </form>
  );
}
