/** So that a round takes only its share of the database's connections and of what the provider allows. */
const lanes = 5;
const providerIsDown = 10; // failures in a row

/**
 * Works through `items`, five at once. One that fails does not stop the others; ten failures in a row do.
 * @param noteFailure is told of each failure
 * @returns the items that failed or were not tried, and whether so many failed that the provider must be down
 */
export async function workThrough<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  noteFailure: (item: Item, error: unknown) => void,
): Promise<{ missed: Item[]; isDown: boolean }> {
  const missed: Item[] = [];
  let failedInARow = 0;
  const left = items.values(); // one after the other, for whichever lane is free
  const workInLane = async () => {
    for (const item of left) {
      if (failedInARow >= providerIsDown) {
        missed.push(item);
        continue;
      }
      try {
        await work(item);
        failedInARow = 0;
      } catch (error) {
        failedInARow += 1;
        missed.push(item);
        noteFailure(item, error);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, workInLane));
  return { missed, isDown: failedInARow >= providerIsDown };
}
