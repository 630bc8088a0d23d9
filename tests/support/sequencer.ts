/**
 * The order of the test files: by chance, with the seed that is printed. A worker shares what it has loaded with its next
 * file, and is ended when that file is of another project or environment. To load everything anew takes seconds, so files
 * of one kind come one after the other.
 */
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createRandom } from '../chaos/random';

export class sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { next } = createRandom(this.ctx.config.sequence.seed);
    const inOrder = files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId));
    const keyed = inOrder.map((file) => ({ file, kind: kindOf(file), key: next() }));
    return keyed
      .toSorted((one, other) => one.kind.localeCompare(other.kind) || one.key - other.key)
      .map(({ file }) => file);
  }
}

/** Project and environment, as a word to sort by. */
const kindOf = ({ project, moduleId }: TestSpecification) =>
  `${project.name} ${readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment')}`;
