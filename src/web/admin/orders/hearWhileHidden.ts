import { hiddenBackOfficeLock } from '../../../shared/deviceNames';
import { listen, stopAll } from '../../browser/listen';
import { withLock } from '../../browser/locks';
import { streamWhileHidden } from '../../server/live';

/**
 * Of all hidden back offices, the one that holds the lock goes on listening to the server, for the sound of a new order.
 * @returns how to stop
 */
export function hearWhileHidden(): () => void {
  let turn = new AbortController(); // that this hidden tab waits for or has
  const watchInTurn = () => {
    turn.abort();
    if (document.visibilityState !== 'hidden') return;
    const { signal } = (turn = new AbortController());
    const watch = () =>
      new Promise<void>((done) => {
        streamWhileHidden.set(true);
        listen(signal, 'abort', () => {
          streamWhileHidden.set(false);
          done();
        });
      });
    // where it is looked at before its turn comes, nothing has to be done
    void withLock(hiddenBackOfficeLock, watch, signal).catch(() => undefined);
  };
  return stopAll(listen(document, 'visibilitychange', watchInTurn), () => turn.abort());
}
