/** What two devices do in one run of the property: random plans of kinds that reveal particular faults. */
import * as fc from 'fast-check';

export type Act = { place: number } & (
  | { name: 'add' | 'change'; product: number; units: number }
  | { name: 'remove'; product: number }
  | { name: 'clear' | 'offline' | 'online' | 'expire' | 'lend' | 'wake' }
);

const place = fc.integer({ min: 0, max: 1 });
const product = fc.integer({ min: 0, max: 1 });
const units = fc.integer({ min: 1, max: 3 });
const added: fc.Arbitrary<Act> = fc.record({ place, name: fc.constant('add' as const), product, units });
const raised: fc.Arbitrary<Act> = fc.record({ place, name: fc.constant('change' as const), product, units });
const lowered: fc.Arbitrary<Act> = fc.record({
  place,
  name: fc.constant('change' as const),
  product,
  units: units.map((each) => -each),
});
const removed: fc.Arbitrary<Act> = fc.record({ place, name: fc.constant('remove' as const), product });
const refused: fc.Arbitrary<Act> = fc.record({
  place,
  name: fc.constant('add' as const),
  product: fc.constant(2),
  units,
});
const other: fc.Arbitrary<Act> = fc.record({
  place,
  name: fc.constantFrom('offline' as const, 'online' as const, 'expire' as const, 'lend' as const, 'wake' as const),
});
const cleared: fc.Arbitrary<Act> = fc.record({ place, name: fc.constant('clear' as const) });

/** Sums alone, where every single loss shows; or everything, where the order counts. */
const onlySums = fc.array(fc.oneof(added, raised, refused, other), { minLength: 2, maxLength: 7 });
const everything = fc.array(
  fc.oneof(
    { arbitrary: added, weight: 3 },
    { arbitrary: raised, weight: 2 },
    { arbitrary: lowered, weight: 2 },
    { arbitrary: removed, weight: 3 },
    { arbitrary: cleared, weight: 1 },
    { arbitrary: refused, weight: 1 },
    { arbitrary: other, weight: 3 },
  ),
  { minLength: 2, maxLength: 8 },
);
/** A line is removed and added again: the one request that must not come after the other. */
const putBack = fc.tuple(product, units, everything).map(([product, units, then]): Act[] => [
  { place: 1, name: 'wake' }, // both tabs are there
  { place: 0, name: 'offline' },
  { place: 0, name: 'remove', product },
  { place: 0, name: 'add', product, units },
  { place: 0, name: 'online' },
  { place: 0, name: 'wake' },
  ...then,
]);
export const plan = fc.record({
  acts: fc.oneof(
    fc.tuple(onlySums, onlySums),
    fc.tuple(everything, everything),
    fc.tuple(putBack, fc.constant<Act[]>([])),
  ),
  seed: fc.integer(),
});
export type Plan = typeof plan extends fc.Arbitrary<infer Made> ? Made : never;
