/** @returns the result of `pending`, or undefined when it fails or takes longer */
export function within<Result>(ms: number, pending: Promise<Result>): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const answer = pending.catch(() => undefined);
  return Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
}
