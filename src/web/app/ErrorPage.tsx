import { Button } from '@chakra-ui/react/button';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { shopName } from '../../shared/brand';
import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';

/** What a page shows when it could not be drawn. */
export function ErrorPage() {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const tryAgain = () => {
    reset();
    void router.invalidate();
  };
  const title = 'Something went wrong';
  return (
    <EmptyState title={title} art={<Disc icon="exclamation" tone="error" />}>
      <title>{`${title} | ${shopName}`}</title>
      <Button size="lg" onClick={tryAgain}>
        Try again
      </Button>
      <ButtonLink to="/" size="lg" variant="outline">
        Home
      </ButtonLink>
    </EmptyState>
  );
}
