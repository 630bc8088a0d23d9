import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { cleanTags, customerLimits, customerMessages as messages, tagKey } from '../../../../shared/customers';
import { newTagForm } from '../../../../shared/customersForms';
import { OnlineButton } from '../../../connection/OnlineButton';
import { useShopForm } from '../../../forms/useShopForm';
import { Button } from '../../../ui/Button';
import chip from '../../../ui/Chip.module.css';
import { TextField } from '../../../ui/FormField';
import { focusBeside } from '../../../ui/focusBeside';
import { Icon } from '../../../ui/Icon';
import { toast } from '../../../ui/toast';
import form from '../../ui/form.module.css';
import styles from './customer.module.css';
import { customerTagsQuery, summaryQuery, useSetCustomerTags } from './queries';

/** Staff's tags of a customer: removed one by one, added with suggestions from the tags in use. */
export function CustomerTags({ userId }: { userId: string }) {
  const { data } = useQuery(summaryQuery(userId));
  const { mutate } = useSetCustomerTags(userId);
  const [isAdding, setAdding] = useState(false);
  const tags = data?.tags ?? [];
  const remove = (tag: string, row: HTMLElement | null) => {
    const rest = tags.filter((each) => each !== tag);
    focusBeside(row);
    const undo = () => mutate({ tags: [...rest, tag], seen: rest });
    mutate(
      { tags: rest, seen: tags },
      { onSuccess: () => toast.success(messages.tagRemoved(tag), { label: 'Undo', onPress: undo }) },
    );
  };
  return (
    <section className={form['box']} aria-labelledby="tags-heading">
      <h2 id="tags-heading" className={form['heading']}>
        Tags
      </h2>
      {tags.length > 0 && (
        <ul className={styles['tags']}>
          {tags.map((tag) => (
            <Tag key={tag} tag={tag} onRemove={remove} />
          ))}
        </ul>
      )}
      {data && isAdding && <NewTag userId={userId} tags={tags} onClose={() => setAdding(false)} />}
      {data && !isAdding && (
        <button type="button" className={`${chip['chip']} ${styles['addTag']}`} onClick={() => setAdding(true)}>
          <Icon name="plus" size={16} />
          Add tag
        </button>
      )}
    </section>
  );
}

function Tag({ tag, onRemove }: { tag: string; onRemove: (tag: string, row: HTMLElement | null) => void }) {
  const row = useRef<HTMLLIElement>(null);
  return (
    <li ref={row} className={styles['tag']}>
      <Link to="/user/management" search={{ tag }}>
        {tag}
      </Link>
      <button type="button" data-removes="" aria-label={`Remove ${tag}`} onClick={() => onRemove(tag, row.current)}>
        <Icon name="cross" size={16} />
      </button>
    </li>
  );
}

const blank = { tag: '' };

/** Stays open after a tag is added, for the next one. */
function NewTag({ userId, tags, onClose }: { userId: string; tags: string[]; onClose: () => void }) {
  const offered = useQuery(customerTagsQuery()).data ?? [];
  const listId = useId();
  const { field, handleSubmit, setError, setFocus, reset } = useShopForm(newTagForm, {
    defaultValues: blank,
    mode: 'onSubmit',
  });
  const { mutate, isPending } = useSetCustomerTags(userId);
  useEffect(() => setFocus('tag'), [setFocus]);
  const own = new Set(tags.map(tagKey));
  const submit = handleSubmit((values) => {
    const [tag = ''] = cleanTags([values.tag]);
    if (own.has(tagKey(tag))) return setError('tag', { message: messages.isKnownTag(tag) });
    if (tags.length >= customerLimits.tags) return setError('tag', { message: messages.tooManyTags });
    mutate({ tags: [...tags, tag], seen: tags }, { onSuccess: () => reset(blank) });
  });
  return (
    <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="New tag" list={listId} autoComplete="off" hint={messages.tagHint} {...field('tag')} />
      <datalist id={listId}>
        {offered
          .filter(({ value }) => !own.has(tagKey(value)))
          .map(({ value }) => (
            <option key={value}>{value}</option>
          ))}
      </datalist>
      <div className={form['actions']}>
        <OnlineButton what="add a tag" type="submit" variant="outline" isBusy={isPending}>
          Add
        </OnlineButton>
        <Button variant="ghost" onClick={onClose}>
          Done
        </Button>
      </div>
    </form>
  );
}
