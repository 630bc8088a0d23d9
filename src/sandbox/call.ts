import type { Params } from './params';
import type { Provider } from './provider';
import type { Cause } from './records';
import type { WireObject } from './wire';

/** One API call, as its handler receives it. */
export type Call = {
  provider: Provider;
  params: Params;
  /** The id in the path; empty if the route has none. */
  id: string;
  cause: Cause;
};

/** Handles a call within one transaction; an error undoes everything. */
export type Handler = (call: Call) => WireObject;
