import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';
import { PageTitle } from '../ui/PageTitle';

export function ForbiddenPage() {
  return (
    <EmptyState
      title="403 forbidden"
      art={<Disc icon="lock" tone="neutral" />}
      text="This page is for the shop's staff."
    >
      <PageTitle>403 forbidden</PageTitle>
      <ButtonLink to="/" size="lg">
        Home
      </ButtonLink>
    </EmptyState>
  );
}
