/** Limits a round's share of the database connections and of the provider's rate limit. */
const lanes = 5;
const maxFailuresInARow = 10; // failures in a row

/**
 * Processes `items`, five at a time. A failure does not stop the others; ten failures in a row do.
 * @param onFailure called with each failure
 * @returns the items that failed or were not tried, and whether so many failed that the provider must be down
 */
export async function workThrough<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onFailure: (item: Item, error: unknown) => void,
): Promise<{ missed: Item[]; isDown: boolean }> {
  const missed: Item[] = [];
  let failedInARow = 0;
  const remaining = items.values(); // an iterator shared by all lanes
  const runLane = async () => {
    for (const item of remaining) {
      if (failedInARow >= maxFailuresInARow) {
        missed.push(item);
        continue;
      }
      try {
        await work(item);
        failedInARow = 0;
      } catch (error) {
        failedInARow += 1;
        missed.push(item);
        onFailure(item, error);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return { missed, isDown: failedInARow >= maxFailuresInARow };
}
