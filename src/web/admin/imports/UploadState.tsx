import { importPageMessages as messages } from '../../../shared/importsStaff';
import { isRejection } from '../../server/errors';
import { Button } from '../../ui/Button';
import { FailureNotice } from '../../ui/FailureNotice';
import { Meter } from '../ui/Meter';
import type { useStartImport } from './queries';

interface Props {
  upload: ReturnType<typeof useStartImport>;
  /** Why the file was not sent. */
  tooLarge?: string | undefined;
}

/** The progress of an upload, or why it failed. An upload that was lost can be sent again. */
export function UploadState({ upload: { isPending, sent = 0, problem, failed, start }, tooLarge }: Props) {
  if (isPending) {
    const isSent = sent >= 1;
    return (
      <>
        <Meter
          label={isSent ? messages.reading : messages.uploading}
          {...(!isSent && { done: Math.round(sent * 100), of: 100, text: `${Math.round(sent * 100)}%` })}
        />
        <output className="sr-only">{isSent ? messages.reading : messages.uploading}</output>
      </>
    );
  }
  if (tooLarge !== undefined) return <FailureNotice sentence={tooLarge} />;
  if (!problem) return null;
  return (
    <FailureNotice sentence={problem.sentence}>
      {!isRejection(problem.error) && failed && (
        <Button variant="outline" size="sm" onClick={() => start(failed)}>
          Send again
        </Button>
      )}
    </FailureNotice>
  );
}
