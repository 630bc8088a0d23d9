import { contactSays } from '../../shared/contact';
import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';
import { PageMeta } from '../ui/PageMeta';

/** Shown once a message was sent. */
export function ThankYouPage() {
  return (
    <EmptyState title={contactSays.sent} text={contactSays.sentText} art={<Disc icon="check" tone="success" />}>
      <PageMeta title={contactSays.sent} description={contactSays.sentText} path="/thankyoupage" isHidden />
      <ButtonLink to="/" size="lg">
        Home
      </ButtonLink>
    </EmptyState>
  );
}
