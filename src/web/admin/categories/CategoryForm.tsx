import { useNavigate } from '@tanstack/react-router';
import { categoryForm } from '../../../shared/catalogForms';
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

/** Rule: docs/rules/catalog.md, Categories */
export function CategoryForm({ values, save }: Props) {
  const form = useShopForm(categoryForm, { defaultValues: values });
  const { field, handleSubmit, formState, setError } = form;
  useStaffDraft(`category ${values.name}`, form);
  useFieldErrors(save.error, setError);
  const { question, letGo } = useLeaveGuard(formState.isDirty);
  const navigate = useNavigate();
  const leave = () => {
    letGo();
    void navigate({ to: '/product/category' });
  };
  const submit = handleSubmit(({ name, description, title }) =>
    save.mutate({ name, description, title: title || null }, { onSuccess: leave }),
  );
  return (
    <form className={`${styles['box']} ${styles['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="Name" autoComplete="off" autoCapitalize="none" {...field('name')} />
      <TextAreaField label="Description" rows={4} {...field('description')} />
      <TextField
        label="Banner"
        autoComplete="off"
        hint="What people read. Without one it is made of the name."
        {...field('title')}
      />
      <SaveOrCancel what="Saving" isBusy={save.isPending} cancelTo="/product/category" />
      {question}
    </form>
  );
}
