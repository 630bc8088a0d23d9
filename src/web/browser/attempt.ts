/** @returns undefined where the browser refuses, as it does when it keeps nothing for us */
export function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
