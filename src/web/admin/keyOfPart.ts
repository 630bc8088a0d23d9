import { v5 } from 'uuid';
import { keyed, type KeyHeader } from '../server/keys';

/** For a change that needs one call per item: on a retry, each part gets the same key again. */
export const keyOfPart = ({ header }: KeyHeader, id: string): KeyHeader => keyed(v5(id, header['Idempotency-Key']));
