import { expect, test } from 'vitest';
import { cleanTags, mergeTags } from '../../src/shared/customers';

test('tags are trimmed, and once each in the first spelling', () => {
  expect(cleanTags([' Supper  club', 'vegan', 'SUPPER CLUB', '', '  '])).toEqual(['Supper club', 'vegan']);
});

test.each([
  ['adding one keeps what a colleague added', ['a', 'b'], { seen: ['a'], tags: ['a', 'c'] }, ['a', 'b', 'c']],
  ['removing one keeps what a colleague added', ['a', 'b'], { seen: ['a'], tags: [] }, ['b']],
  ['one that a colleague removed stays removed', ['b'], { seen: ['a', 'b'], tags: ['a', 'b', 'c'] }, ['b', 'c']],
  ['both add the same one in another case', ['Vegan'], { seen: [], tags: ['vegan'] }, ['Vegan']],
])('%s', (_, stored, change, next) => {
  expect(mergeTags(stored, change)).toEqual(next);
});
