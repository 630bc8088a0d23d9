import { adminMessages } from '../../shared/admin';
import { ButtonLink } from './ButtonLink';
import { Disc } from './Disc';
import { EmptyState } from './EmptyState';
import { PageTitle } from './PageMeta';

/** @param text says whom the page is for */
export function ForbiddenPage({ text = adminMessages.forStaff }: { text?: string }) {
  return (
    <EmptyState title="403 forbidden" art={<Disc icon="lock" tone="neutral" />} text={text}>
      <PageTitle>403 forbidden</PageTitle>
      <ButtonLink to="/" size="lg">
        Home
      </ButtonLink>
    </EmptyState>
  );
}
