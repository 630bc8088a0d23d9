import { getRouteApi } from '@tanstack/react-router';
import { SecondFactor } from '../../users/SecondFactor';
import { AdminHead } from '../ui/AdminHead';
import form from '../ui/form.module.css';

const route = getRouteApi('/admin');
const profilePath = '/admin/view/profile';

/** Rule: docs/rules/back-office.md, Own profile */
export function AdminSecondFactorPage() {
  const { user: me } = route.useRouteContext();
  return (
    <>
      <AdminHead title="Two-step login" back={{ to: profilePath }} />
      <div className={`${form['stack']} ${form['narrow']}`}>
        <SecondFactor userId={me.id} wayBack={profilePath} />
      </div>
    </>
  );
}
