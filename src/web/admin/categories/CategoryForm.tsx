import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { categoryForm } from '../../../shared/catalogForms';
import { OnlineButton } from '../../offline/OnlineButton';
import { ButtonLink } from '../../ui/ButtonLink';
import { TextAreaField, TextField } from '../../ui/FormField';
import { useFieldErrors } from '../../ui/fieldErrors';
import styles from '../form.module.css';
import { useLeaveGuard } from '../useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import type { useCreateCategory } from './queries';

type Values = Record<'name' | 'description' | 'title', string>;

interface Props {
  values: Values;
  save: ReturnType<typeof useCreateCategory>;
}

/** Source: specification §5; the banner's words: decisions §4 */
export function CategoryForm({ values, save }: Props) {
  const form = useForm<Values>({
    resolver: zodResolver(categoryForm) as never, // the banner may be null for the call, and is a text here
    defaultValues: values,
    mode: 'onTouched',
  });
  const { register, handleSubmit, formState, setError } = form;
  useStaffDraft(`category ${values.name}`, form);
  useFieldErrors(save.error, setError);
  const { errors, isDirty } = formState;
  const field = (name: keyof Values) => ({ ...register(name), error: errors[name]?.message });
  const { question, letGo } = useLeaveGuard(isDirty);
  const navigate = useNavigate();
  const leave = () => {
    letGo();
    void navigate({ to: '/product/category' });
  };
  const submit = handleSubmit(({ name, description, title }) =>
    save.mutate({ name, description, title: title === '' ? null : title }, { onSuccess: leave }),
  );
  return (
    <form className={`${styles['box']} ${styles['narrow']}`} noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="Name" autoComplete="off" autoCapitalize="none" {...field('name')} />
      <TextAreaField label="Description" rows={4} {...field('description')} />
      <TextField
        label="Banner"
        autoComplete="off"
        hint="The title of its page. Without one the name is shown."
        {...field('title')}
      />
      <div className={styles['actions']}>
        <OnlineButton what="Saving" type="submit" isBusy={save.isPending}>
          Save
        </OnlineButton>
        <ButtonLink to="/product/category" variant="ghost">
          Cancel
        </ButtonLink>
      </div>
      {question}
    </form>
  );
}
