import { badParam } from './apiError';
import type { Params } from './params';
import type { WireObject } from './wire';

type Listed = { id: string; created: number };

/**
 * One page of a list, newest first, by the provider's parameters: limit (1 to 100, default 10), starting_after,
 * ending_before and created (a second, or gt, gte, lt, lte).
 * @param records oldest first
 * @param isWanted the list's own filters
 */
export function listPage<R extends Listed>(
  params: Params,
  url: string,
  records: Iterable<R>,
  isWanted: (record: R) => boolean,
  present: (record: R) => WireObject,
): WireObject {
  const limit = params.integer('limit', { min: 1, max: 100 }) ?? 10;
  const wasCreated = createdFilter(params);
  const all = [...records].toReversed();
  const after = cursor(params, 'starting_after', all);
  const before = cursor(params, 'ending_before', all);

  const inRange = all.slice(after === null ? 0 : after + 1, before ?? all.length);
  const wanted = inRange.filter((record) => wasCreated(record.created) && isWanted(record));
  const page = before === null ? wanted.slice(0, limit) : wanted.slice(-limit);
  return { object: 'list', data: page.map(present), has_more: wanted.length > page.length, url };
}

/** The index of the cursor's record, found before any filter: the record may have changed since. */
function cursor(params: Params, name: string, all: Listed[]): number | null {
  const id = params.text(name);
  if (id === null) return null;
  const index = all.findIndex((record) => record.id === id);
  if (index === -1) throw badParam(name, `No such object: '${id}'`, 'resource_missing');
  return index;
}

function createdFilter(params: Params): (created: number) => boolean {
  if (!params.isObject('created')) {
    const exact = params.integer('created');
    return (created) => exact === null || created === exact;
  }
  const range = params.requireObject('created');
  const [gt, gte, lt, lte] = [range.integer('gt'), range.integer('gte'), range.integer('lt'), range.integer('lte')];
  return (created) =>
    (gt === null || created > gt) &&
    (gte === null || created >= gte) &&
    (lt === null || created < lt) &&
    (lte === null || created <= lte);
}
