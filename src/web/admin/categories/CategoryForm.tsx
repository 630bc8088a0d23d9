import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { categoryForm } from '../../../shared/catalogForms';
import { slugOf } from '../../../shared/slugs';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { TextAreaField, TextField } from '../../ui/FormField';
import styles from '../ui/form.module.css';
import { SaveOrCancel } from '../ui/SaveOrCancel';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import type { useCreateCategory } from './queries';

type Values = Record<'name' | 'description' | 'title', string>;

interface Props {
  values: Values;
  save: ReturnType<typeof useCreateCategory>;
}

/** As in `categoryNamePattern`. */
const longestName = 40;

/** Rule: docs/rules/catalog.md, Categories */
export function CategoryForm({ values, save }: Props) {
  const form = useShopForm(categoryForm, { defaultValues: values });
  const { field, handleSubmit, formState, setError } = form;
  const followTitle = useNameFromTitle(form, values.name === '');
  useStaffDraft(`category ${values.name}`, form);
  useFieldErrors(save.error, setError);
  const { question, allowLeaving } = useLeaveGuard(formState.isDirty);
  const navigate = useNavigate();
  const leave = () => {
    allowLeaving();
    void navigate({ to: '/product/category' });
  };
  const submit = handleSubmit(({ name, description, title }) =>
    save.mutate({ name, description, title: title || null }, { onSuccess: leave }),
  );
  return (
    <form className={`${styles['box']} ${styles['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label="Title"
        autoComplete="off"
        hint={catalogStaffMessages.categoryTitleHint}
        {...field('title', { onChange: followTitle })}
      />
      <TextField
        label="Name"
        autoComplete="off"
        autoCapitalize="none"
        hint={catalogStaffMessages.categoryNameHint}
        {...field('name')}
      />
      <TextAreaField label="Description" rows={4} {...field('description')} />
      <SaveOrCancel what="save" isBusy={save.isPending} cancelTo="/product/category" />
      {question}
    </form>
  );
}

/**
 * The name of a new category follows its title until a name is typed. Later it does not, because URLs contain the name.
 * @returns call it when the title changes
 */
function useNameFromTitle({ getValues, setValue, formState }: UseFormReturn<Values, unknown, unknown>, isNew: boolean) {
  const generated = useRef('');
  return () => {
    const { name, title } = getValues();
    const isTyped = name !== '' && name !== generated.current;
    if (!isNew || isTyped) return;
    generated.current = slugOf(title, longestName);
    setValue('name', generated.current, { shouldDirty: true, shouldValidate: formState.isSubmitted });
  };
}
