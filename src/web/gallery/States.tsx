import { ReadFailure } from '../connection/ReadFailure';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { Disc } from '../ui/Disc';
import { EmptyState } from '../ui/EmptyState';
import { FailureNotice } from '../ui/FailureNotice';
import { ForbiddenPage } from '../ui/ForbiddenPage';
import { NotFoundPage } from '../catalog/core/NotFoundPage';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Waiting } from '../ui/Waiting';
import styles from './Gallery.module.css';

const failed = { error: new Error('not read'), refetch: () => undefined };

export const States = () => (
  <>
    <div className={styles['wide']}>
      <Waiting what="the examples">
        <SkeletonRows rows={2} />
        <SkeletonRows rows={2} hasPictures />
      </Waiting>
      <FailureNotice sentence="It did not work." />
      <ReadFailure read={failed} failure="Failed to fetch the examples" />
    </div>
    <EmptyState title="Nothing here yet" text="What is added shows here.">
      <ButtonLink to="/">Home</ButtonLink>
    </EmptyState>
    <EmptyState isAiry title="It is paid" art={<Disc icon="check" tone="success" />} details={<p>Order #1001</p>}>
      <Button variant="outline">Print</Button>
    </EmptyState>
    <ForbiddenPage />
    <NotFoundPage />
  </>
);
