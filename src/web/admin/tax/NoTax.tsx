import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { settingFields } from '../../../shared/settingFields';
import { taxMessages as messages } from '../../../shared/tax';
import { OnlineButton } from '../../connection/OnlineButton';
import { Icon } from '../../ui/Icon';
import { settingsQuery, useUpdateSettings } from '../settings/queries';
import notice from '../ui/notice.module.css';

const route = getRouteApi('/admin');

/** While no state has a rate: the owner confirms that this is meant, or takes it back. */
export function NoTax() {
  const { user } = route.useRouteContext();
  const { data: settings } = useQuery(settingsQuery());
  const { mutate, isPending } = useUpdateSettings();
  if (!settings) return null;
  const { collectsNoTax } = settings;
  const change = () => mutate({ before: settings, form: { ...settings, collectsNoTax: !collectsNoTax } });
  return (
    <section className={`${notice['notice']} ${collectsNoTax ? notice['right'] : ''}`} aria-label="No sales tax">
      <Icon name={collectsNoTax ? 'check' : 'alert'} />
      <p>{collectsNoTax ? messages.collectsNoTax : messages.noRates}</p>
      {user.role === 'ROLE_OWNER' && (
        <OnlineButton what="save" variant="outline" isBusy={isPending} onClick={change}>
          {collectsNoTax ? 'Undo' : settingFields.collectsNoTax.label}
        </OnlineButton>
      )}
    </section>
  );
}
