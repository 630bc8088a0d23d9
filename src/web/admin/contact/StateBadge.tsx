import { messageStateLabels } from '../../../shared/contact';
import { Badge } from '../../ui/Badge';
import type { MessageState } from './queries';

const tones = { new: 'info', read: 'neutral', answered: 'success' } as const;

export function StateBadge({ state }: { state: MessageState }) {
  return (
    <Badge tone={tones[state]} hollow={state === 'read'}>
      {messageStateLabels[state]}
    </Badge>
  );
}
