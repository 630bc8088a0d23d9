import type { Params } from './params';
import type { Provider } from './provider';
import type { Cause } from './records';
import type { WireObject } from './wire';

/** One call of the API, as its handler gets it. */
export type Call = {
  provider: Provider;
  params: Params;
  /** The id in the path; empty where the route has none. */
  id: string;
  cause: Cause;
};

/** Answers a call within one transaction; an error undoes everything. */
export type Handler = (call: Call) => WireObject;
