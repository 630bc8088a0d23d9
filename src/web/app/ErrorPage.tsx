import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isMissingChunk, reloadOnce } from './missingChunks';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';
import { PageTitle } from '../ui/PageMeta';
import { isPaying } from './navigation';

/** Shown when a page fails to render. */
export function ErrorPage({ error }: Pick<ErrorComponentProps, 'error'>) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  useEffect(() => {
    // never reload automatically during payment
    if (isMissingChunk(error) && !isPaying(location.pathname)) reloadOnce();
  }, [error]);
  const tryAgain = () => {
    if (isMissingChunk(error)) return location.reload(); // retrying the import would fail again
    reset();
    return void router.invalidate();
  };
  const title = 'Something went wrong';
  return (
    <EmptyState title={title} art={<Disc icon="exclamation" tone="error" />}>
      <PageTitle>{title}</PageTitle>
      <Button size="lg" onClick={tryAgain}>
        Try again
      </Button>
      <ButtonLink to="/" size="lg" variant="outline">
        Home
      </ButtonLink>
    </EmptyState>
  );
}
