import { useNavigate } from '@tanstack/react-router';
import { categoryForm } from '../../../shared/catalogForms';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { TextAreaField, TextField } from '../../ui/FormField';
import styles from '../ui/form.module.css';
import { SaveOrCancel } from '../ui/SaveOrCancel';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useSuggestedSlug } from '../ui/useSuggestedSlug';
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
  const { field, getValues, handleSubmit, formState, setError, setValue } = form;
  const suggestName = useSuggestedSlug({ isNew: values.name === '', maxLength: longestName });
  const followTitle = () => {
    const name = suggestName(getValues('title'), getValues('name'));
    if (name !== undefined) setValue('name', name, { shouldDirty: true, shouldValidate: formState.isSubmitted });
  };
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
