import { offlineMessages } from '../../shared/offline';
import { isMissing, sentenceOf } from '../server/errors';
import { useIsOnline } from '../server/reachability';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { FailureNotice } from '../ui/FailureNotice';

interface Props {
  /** What became of the read. */
  read: { error: unknown; refetch: () => unknown };
  /** What is said where the server gave no sentence. */
  failure: string;
  /** The way on where there is no such thing; null in a dialog, which closes. */
  back?: { to: string; label: string } | null;
}

/**
 * In the place of what could not be read: the server's sentence, else without a connection that this is why, else
 * `failure`; and a way to try again, or on.
 * Rule: docs/rules/screens.md, Reading data
 */
export function ReadFailure({ read: { error, refetch }, failure, back = { to: '/', label: 'Home' } }: Props) {
  const sentence = sentenceOf(error, useIsOnline() ? failure : offlineMessages.notHere);
  return (
    <FailureNotice sentence={sentence}>
      {!isMissing(error) && (
        <Button size="sm" variant="outline" onClick={() => void refetch()}>
          Try again
        </Button>
      )}
      {isMissing(error) && back && (
        <ButtonLink to={back.to} size="sm" variant="outline">
          {back.label}
        </ButtonLink>
      )}
    </FailureNotice>
  );
}
