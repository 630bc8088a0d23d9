/** The rules page names every job: this finds missing and obsolete ones. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobsOf, type JobParts } from '../../../src/server/jobs/jobs';

test('each job is in the table of jobs once, and no other', () => {
  const [, section = ''] = readFileSync('docs/rules/running.md', 'utf8').split('\n## Jobs\n');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const jobs = Object.keys(jobsOf({} as JobParts));
  expect(new Set(named)).toEqual(new Set(jobs));
  expect(named).toHaveLength(jobs.length);
});
