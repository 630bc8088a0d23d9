import { useWatch } from 'react-hook-form';
import { pageLimits, pageStaffMessages as messages } from '../../../shared/pagesStaff';
import { TextField } from '../../ui/FormField';
import { ConflictPanel } from '../ui/ConflictPanel';
import form from '../ui/form.module.css';
import notice from '../ui/notice.module.css';
import { SaveOrCancel } from '../ui/SaveOrCancel';
import { Toggle } from '../ui/Toggle';
import { useSuggestedSlug } from '../ui/useSuggestedSlug';
import { MarkdownField } from './MarkdownField';
import styles from './PageForm.module.css';
import { PagePreview } from './PagePreview';
import { fieldLabels, inWords } from './pageValues';
import { type PageFormProps, usePageForm } from './usePageForm';

/** Title, address, text, and beside it how the shop will show it. */
export function PageForm(props: PageFormProps) {
  const { form: values, submit, question, isSaving, differences, isDeleted } = usePageForm(props);
  const { control, field, formState, getValues, setValue, trigger } = values;
  const [title, slug, markdown, isPublished] = useWatch({
    control,
    name: ['title', 'slug', 'markdown', 'isPublished'],
  });
  const changed = { shouldDirty: true, shouldValidate: formState.isSubmitted } as const;
  const suggestSlug = useSuggestedSlug({ isNew: !props.page, maxLength: pageLimits.slug });
  const followTitle = () => {
    const next = suggestSlug(getValues('title'), getValues('slug'));
    if (next !== undefined) setValue('slug', next, changed);
  };
  const publish = (isOn: boolean) => {
    setValue('isPublished', isOn, changed);
    void trigger('markdown'); // blanks must be filled first
  };
  return (
    <form className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
      {isDeleted && (
        <div className={notice['notice']} role="alert">
          <p>{messages.deletedMeanwhile}</p>
        </div>
      )}
      {differences.length > 0 && (
        <ConflictPanel
          title={messages.changedMeanwhile}
          differences={differences}
          labels={fieldLabels}
          inWords={inWords}
          onChoose={(name, value) =>
            setValue(name, name === 'isPublished' ? value === 'true' : value, {
              shouldDirty: true,
              shouldValidate: true,
            })
          }
        />
      )}
      <section className={form['box']} aria-label="Page">
        <div className={form['two']}>
          <TextField label="Title" autoComplete="off" {...field('title', { onChange: followTitle })} />
          <TextField
            label="Address"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint={messages.address(slug)}
            {...field('slug')}
          />
        </div>
        <div className={styles['published']}>
          <div>
            <b aria-hidden="true">Published</b>
            <small>{messages.publishedHint}</small>
          </div>
          <Toggle label="Published" isOn={isPublished} onChange={publish} />
        </div>
      </section>
      <div className={styles['columns']}>
        <MarkdownField markdown={markdown} field={field('markdown')} />
        <PagePreview title={title} markdown={markdown} />
      </div>
      <SaveOrCancel what="save" isBusy={isSaving} cancelTo="/admin/pages" />
      {question}
    </form>
  );
}
