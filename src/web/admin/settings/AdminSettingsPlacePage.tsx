import { getRouteApi, useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { adminMessages } from '../../../shared/admin';
import { NotFoundPage } from '../../catalog/core/NotFoundPage';
import { ForbiddenPage } from '../../ui/ForbiddenPage';
import { settingsPlaces } from './places';
import { SettingsFrame } from './SettingsFrame';
import { SettingsSection } from './SettingsSection';

const route = getRouteApi('/admin');

/** The page of the settings that the address names. Rule: docs/rules/back-office.md, Settings */
export function AdminSettingsPlacePage() {
  const { user } = route.useRouteContext();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const place = settingsPlaces.find(({ to }) => to === path);
  if (!place) return <NotFoundPage />;
  const { to, section, Above, Beside, Content, isForOwner } = place;
  if (isForOwner && user.role !== 'ROLE_OWNER') return <ForbiddenPage text={adminMessages.forOwner} />;
  return (
    <SettingsFrame key={to} to={to}>
      {section && <SettingsSection section={section} Above={Above} Beside={Beside} />}
      {Content && (
        <Suspense>
          <Content />
        </Suspense>
      )}
    </SettingsFrame>
  );
}
