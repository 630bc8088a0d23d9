import { expect, test } from 'vitest';
import { pageMarks, parsePage } from '../../src/shared/paging';

test('up to seven pages all numbers are shown', () => {
  expect(pageMarks(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test.each([
  [1, [1, 2, 'gap after', 20]],
  [10, [1, 'gap before', 9, 10, 11, 'gap after', 20]],
  [20, [1, 'gap before', 19, 20]],
])('with many pages, page %d shows the first, the last and its neighbors', (page, marks) => {
  expect(pageMarks(page, 20)).toEqual(marks);
});

test.each([
  ['2', 2],
  [3, 3],
  ['1', 1],
  ['0', 1],
  ['-4', 1],
  ['1.5', 1],
  ['x', 1],
  [undefined, 1],
  ['9'.repeat(400), 1],
])('?page=%s is page %d', (value, page) => {
  expect(parsePage(value)).toBe(page);
});
