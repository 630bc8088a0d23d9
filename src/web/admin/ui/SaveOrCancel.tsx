import { OnlineButton } from '../../connection/OnlineButton';
import { ButtonLink } from '../../ui/ButtonLink';
import form from './form.module.css';

interface Props {
  /** The action that needs a connection: 'Saving'. */
  what: string;
  isBusy: boolean;
  cancelTo: string;
}

/** The buttons below a form that fills a page. */
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
