/**
 * The possible final states of one product of a list that several devices changed, by the rules alone: operations apply
 * in the order in which they arrive, and those of one device in the order in which they were made. A device still shows
 * its rejected changes.
 * Rule: docs/rules/kitchen.md, Order of operations
 */
import type { ListChange, ListItemFields } from '../../../src/shared/lists';

/** By device: the last rejected par and count of this product. */
export type Refused = Readonly<Record<number, Pick<ListItemFields, 'par' | 'onHand'>>>;
export interface Outcome {
  isListThere: boolean;
  /** Undefined: it is not on the list. */
  item: { par: number | null; onHand: number | null } | undefined;
  refused: Refused;
}

/** @returns every possible outcome of the devices' changes, as text */
export function possibleOutcomes(
  devices: readonly (readonly ListChange[])[],
  about: { listId: string; productId: string },
  first: Outcome,
): ReadonlySet<string> {
  const own = devices.map((changes) => changes.filter((change) => concerns(change, about)));
  const ends = new Set<string>();
  const seen = new Set<string>();
  const open: { at: number[]; outcome: Outcome }[] = [{ at: own.map(() => 0), outcome: first }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { at, outcome } = next;
    const name = `${at.join()} ${written(outcome)}`;
    if (seen.has(name)) continue;
    seen.add(name);
    if (at.every((place, device) => place === own[device]?.length)) ends.add(written(outcome));
    own.forEach((changes, device) => {
      const change = changes[at[device] ?? 0];
      if (!change) return;
      const moved = at.map((place, each) => (each === device ? place + 1 : place));
      open.push({ at: moved, outcome: after(outcome, change, device) });
    });
  }
  return ends;
}

/** @returns the same text for the same outcome */
export const written = ({ isListThere, item, refused }: Outcome): string =>
  JSON.stringify([
    isListThere,
    item && [item.par, item.onHand],
    Object.entries(refused)
      .map(([device, { par, onHand }]) => [device, par, onHand])
      .filter(([, ...fields]) => fields.some((field) => field !== undefined))
      .toSorted(([one], [other]) => Number(one) - Number(other)),
  ]);

/** @returns what a device shows as rejected once this was rejected as well */
export function withRefused(refused: Refused, device: number, { par, onHand }: ListItemFields): Refused {
  const fields = { ...(par !== undefined && { par }), ...(onHand !== undefined && { onHand }) };
  return { ...refused, [device]: { ...refused[device], ...fields } };
}

function concerns(
  { operation, input }: ListChange,
  { listId, productId }: { listId: string; productId: string },
): boolean {
  if (operation === 'deleteList') return input.listId === listId;
  if (operation !== 'setListItem' && operation !== 'removeListItem') return false;
  return input.listId === listId && input.productId === productId;
}

function after(outcome: Outcome, change: ListChange, device: number): Outcome {
  const { isListThere, item, refused } = outcome;
  if (change.operation === 'deleteList') return { isListThere: false, item: undefined, refused };
  if (change.operation === 'removeListItem') return { ...outcome, item: undefined };
  if (change.operation !== 'setListItem') return outcome;
  const { fields } = change.input;
  if (!isListThere || (!item && !fields.add)) return { ...outcome, refused: withRefused(refused, device, fields) };
  const { par = item?.par ?? null, onHand = item?.onHand ?? null } = fields;
  return { ...outcome, item: { par, onHand } };
}
