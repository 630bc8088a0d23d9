import { attempt } from './attempt';
import { listen } from './listen';

/**
 * Opens a channel to the shop's other tabs. It does nothing where none can exist: on the server, where an open channel
 * would keep the process alive, and in browsers that block it along with site data.
 */
export function createChannel<Message>(name: string) {
  const channel = attempt(() => (typeof window === 'undefined' ? undefined : new BroadcastChannel(name)));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
    notify: (message: Message): void => channel?.postMessage(message),
    subscribe: (listener: (message: Message) => void): (() => void) =>
      listen(channel, 'message', ({ data }: MessageEvent<Message>) => listener(data)),
    close: (): void => channel?.close(),
  };
}
