import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazyPart';
import type { SizesPanelProps } from './SizesPanel';

const SizesPanel = lazyPart(() => import('./SizesPanel'), 'SizesPanel');

/** The open sizes of a card. */
export const CardSizes = (props: SizesPanelProps) => (
  <Suspense>
    <SizesPanel {...props} />
  </Suspense>
);
