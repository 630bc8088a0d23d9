import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';

export function ForbiddenPage() {
  return (
    <EmptyState
      title="403 forbidden"
      art={<Disc icon="lock" tone="neutral" />}
      text="This page is for the shop's staff."
    >
      <ButtonLink to="/" size="lg">
        Home
      </ButtonLink>
    </EmptyState>
  );
}
