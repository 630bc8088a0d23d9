/**
 * The possible final states of a cart that two devices changed, by the rules alone: operations apply in the order in
 * which they arrive, and those of one device in the order in which they were made. The final database is compared with
 * every order in which they could have arrived.
 * Rule: docs/rules/cart.md, Order of operations
 */
export type Intention =
  | { name: 'add' | 'change'; product: string; units: number }
  | { name: 'remove'; product: string }
  | { name: 'clear' };

/** Units by product. */
export type Units = Readonly<Record<string, number>>;

/** @param isSold changes of unsold products are rejected, and change nothing */
export function possibleCarts(
  devices: readonly (readonly Intention[])[],
  isSold: (product: string) => boolean,
): ReadonlySet<string> {
  const [ofOne = [], ofOther = []] = devices;
  // carts after i changes of one and j of the other, for each path there
  const after = new Map<string, Map<string, Units>>();
  const at = (i: number, j: number) => {
    const key = `${i} ${j}`;
    const found = after.get(key) ?? new Map<string, Units>();
    after.set(key, found);
    return found;
  };
  at(0, 0).set(written({}), {});
  for (let i = 0; i <= ofOne.length; i += 1) {
    for (let j = 0; j <= ofOther.length; j += 1) {
      for (const units of at(i, j).values()) {
        const steps = [
          { next: ofOne[i], to: () => at(i + 1, j) },
          { next: ofOther[j], to: () => at(i, j + 1) },
        ];
        for (const { next, to } of steps) {
          if (!next) continue;
          const changed = applied(units, next, isSold);
          to().set(written(changed), changed);
        }
      }
    }
  }
  return new Set(at(ofOne.length, ofOther.length).keys());
}

/** @returns the same text for the same units */
export function written(units: Units): string {
  return JSON.stringify(Object.entries(units).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function applied(units: Units, intention: Intention, isSold: (product: string) => boolean): Units {
  if (intention.name === 'clear') return {};
  const { product } = intention;
  if (intention.name === 'remove') return without(units, product);
  const before = units[product] ?? 0;
  if (intention.units > 0) return isSold(product) ? { ...units, [product]: before + intention.units } : units;
  const left = before + intention.units; // a negative change to a removed line does nothing
  return left > 0 ? { ...units, [product]: left } : without(units, product);
}

function without(units: Units, product: string): Units {
  const { [product]: _, ...rest } = units;
  return rest;
}
