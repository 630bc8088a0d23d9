/** @returns undefined where the browser throws, for example because storage is blocked */
export function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
