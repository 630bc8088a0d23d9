import { contactFormMessages } from '../../shared/contact';
import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';
import { PageMeta } from '../ui/PageMeta';

/** Shown after a message was sent. */
export function ThankYouPage() {
  return (
    <EmptyState
      title={contactFormMessages.sent}
      text={contactFormMessages.sentText}
      art={<Disc icon="check" tone="success" />}
    >
      <PageMeta
        title={contactFormMessages.sent}
        description={contactFormMessages.sentText}
        path="/thankyoupage"
        isHidden
      />
      <ButtonLink to="/" size="lg">
        Home
      </ButtonLink>
    </EmptyState>
  );
}
