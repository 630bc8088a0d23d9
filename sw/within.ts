/** @returns the result of `asked`, or undefined when it fails or takes longer */
export function within<Result>(ms: number, asked: Promise<Result>): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const answer = asked.catch(() => undefined);
  return Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
}
