import { listen } from './listen';

/** The shop's other tabs. */
export interface Channel<Message> {
  tell: (message: Message) => void;
  /** @returns how to stop listening */
  subscribe: (listener: (message: Message) => void) => () => void;
  close: () => void;
}

/** Opens a channel to the other tabs. Where there can be none, nothing is told and nothing heard. */
export function createChannel<Message>(name: string): Channel<Message> {
  const channel = openChannel(name);
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
    tell: (message) => channel?.postMessage(message),
    subscribe: (listener) => {
      if (!channel) return () => undefined;
      return listen(channel, 'message', ({ data }: MessageEvent<Message>) => listener(data));
    },
    close: () => channel?.close(),
  };
}

/**
 * @returns undefined on the server, whose process an open one would keep from ending, and where the browser refuses it as
 * it does the data of every site
 */
export function openChannel(name: string): BroadcastChannel | undefined {
  if (typeof window === 'undefined') return undefined;
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
