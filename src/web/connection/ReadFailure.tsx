import { offlineMessages } from '../../shared/offline';
import { isMissing, sentenceOf } from '../server/errors';
import { useIsOnline } from '../server/reachability';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { FailureNotice } from '../ui/FailureNotice';

interface Props {
  /** The state of the failed read. */
  read: { error: unknown; refetch: () => unknown };
  /** The message if the server sent none. */
  failure: string;
  /** The link if the resource doesn't exist; null in a dialog, which closes instead. */
  back?: { to: string; label: string } | null;
}

/**
 * Replaces data that failed to load: the server's message, else the offline message, else `failure`; with a button to
 * retry, or a link elsewhere.
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
