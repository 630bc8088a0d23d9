/**
 * Shuffles the test files, with a printed seed. A worker shares its loaded modules with its next file, and is ended
 * when that file has another project or environment. Loading everything again takes seconds, so files of one kind run
 * in a row.
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

/** Project and environment, as a sort key. */
const kindOf = ({ project, moduleId }: TestSpecification) =>
  `${project.name} ${readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment')}`;
