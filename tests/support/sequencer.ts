/**
 * The order of the test files. A worker shares what it has loaded with its next file, and is ended when that file is of
 * another project or environment. To load everything anew takes seconds, so files of one kind come one after the other.
 */
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class SharingSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files); // what took long, or is large, comes first
    return sorted.toSorted((one, other) => kindOf(one).localeCompare(kindOf(other)));
  }
}

/** Project and environment, as a word to sort by. */
const kindOf = ({ project, moduleId }: TestSpecification) =>
  `${project.name} ${readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment')}`;
