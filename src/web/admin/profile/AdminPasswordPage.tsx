import { getRouteApi } from '@tanstack/react-router';
import { ChangePassword } from '../../users/ChangePassword';
import { AdminHead } from '../ui/AdminHead';
import form from '../ui/form.module.css';

const route = getRouteApi('/admin');
const profilePath = '/admin/view/profile';

/** Rule: docs/rules/back-office.md, Own profile */
export function AdminPasswordPage() {
  const { user: me } = route.useRouteContext();
  return (
    <>
      <AdminHead title="Change password" back={{ to: profilePath }} />
      <div className={`${form['stack']} ${form['narrow']}`}>
        <ChangePassword user={me} wayBack={profilePath} />
      </div>
    </>
  );
}
