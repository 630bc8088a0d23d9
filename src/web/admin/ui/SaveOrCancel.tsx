import { OnlineButton } from '../../connection/OnlineButton';
import { ButtonLink } from '../../ui/ButtonLink';
import form from './form.module.css';

interface Props {
  /** What needs a connection: 'Saving'. */
  what: string;
  isBusy: boolean;
  cancelTo: string;
}

/** The foot of a form that is a page. */
export function SaveOrCancel({ what, isBusy, cancelTo }: Props) {
  return (
    <div className={form['actions']}>
      <OnlineButton what={what} type="submit" isBusy={isBusy}>
        Save
      </OnlineButton>
      <ButtonLink to={cancelTo} variant="ghost">
        Cancel
      </ButtonLink>
    </div>
  );
}
