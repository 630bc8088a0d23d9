/** The part of autocannon that the bench uses; the package has no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export type Request = { method?: string; path?: string; headers?: Record<string, string>; body?: string };
  export type Options = {
    url: string;
    connections: number;
    headers?: Record<string, string>;
    /** Seconds; `amount`, a number of requests, may be given instead. */
    duration?: number;
    amount?: number;
    requests?: (Request & { setupRequest?: (request: Request) => Request })[];
  };
  export type Result = { errors: number; timeouts: number; non2xx: number };
  export default function autocannon(options: Options): EventEmitter & PromiseLike<Result>;
}
