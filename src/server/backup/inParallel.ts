const maxParallelFiles = 8;

/**
 * Handles files, eight at a time. After a failure none is begun, and those in flight end first: what follows may delete
 * what they wrote.
 * @throws the first failure
 */
export async function inParallel(files: readonly string[], work: (file: string) => Promise<void>): Promise<void> {
  const left = [...files];
  const failures: unknown[] = [];
  const workNext = async () => {
    for (let file = left.shift(); file !== undefined && failures.length === 0; file = left.shift())
      await work(file).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: maxParallelFiles }, workNext));
  if (failures.length > 0) throw failures[0];
}
