import { attempt } from './attempt';
import { listen } from './listen';

/**
 * Opens a channel to the shop's other tabs. Where there can be none, nothing is told and nothing heard: on the server,
 * whose process an open one would keep from ending, and where the browser refuses it as it does the data of every site.
 */
export function createChannel<Message>(name: string) {
  const channel = attempt(() => (typeof window === 'undefined' ? undefined : new BroadcastChannel(name)));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
    tell: (message: Message): void => channel?.postMessage(message),
    subscribe: (listener: (message: Message) => void): (() => void) =>
      listen(channel, 'message', ({ data }: MessageEvent<Message>) => listener(data)),
    close: (): void => channel?.close(),
  };
}
