import { notifyManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchRenders } from '../../../src/web/outbox/optimistic';

let areMany = false;
let drawn: string[] = [];
let drawing: ReturnType<typeof batchRenders>;
const draw = (what: string) => () => void drawn.push(what);

beforeEach(() => {
  vi.useFakeTimers();
  [areMany, drawn] = [false, []];
  drawing = batchRenders(() => areMany);
});

afterEach(() => {
  drawing.stop();
  vi.useRealTimers();
});

test('while few changes are sent, each is drawn at once', () => {
  drawing.later(draw('first'));
  drawing.later(draw('second'));
  expect(drawn).toEqual(['first', 'second']);
  notifyManager.schedule(draw('answer'));
  vi.advanceTimersByTime(0);
  expect(drawn.at(-1)).toBe('answer');
});

test('while many are sent, the first is drawn at once, and what follows together, in order', () => {
  areMany = true;
  drawing.later(draw('one'));
  expect(drawn).toEqual(['one']);
  drawing.later(draw('two'));
  notifyManager.schedule(draw('answer'));
  vi.advanceTimersByTime(199);
  expect(drawn).toEqual(['one']);
  vi.advanceTimersByTime(1);
  expect(drawn).toEqual(['one', 'two', 'answer']);
});

test('what was held is drawn as soon as all are sent, and before what comes then', () => {
  areMany = true;
  drawing.later(draw('one'));
  drawing.later(draw('two'));
  notifyManager.schedule(draw('answer'));
  vi.advanceTimersByTime(0);
  areMany = false;
  drawing.now();
  expect(drawn).toEqual(['one', 'two', 'answer']);
  notifyManager.schedule(draw('later'));
  vi.advanceTimersByTime(0);
  expect(drawn.at(-1)).toBe('later');
});

test('an outbox that is closed holds nothing back', () => {
  areMany = true;
  drawing.later(draw('one'));
  drawing.later(draw('two'));
  drawing.stop();
  expect(drawn).toEqual(['one', 'two']);
  notifyManager.schedule(draw('answer'));
  vi.advanceTimersByTime(0);
  expect(drawn.at(-1)).toBe('answer');
});
