import { notifyManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchRenders } from '../../../src/web/outbox/batchRenders';

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

test('while few changes are sent, each is rendered immediately', () => {
  drawing.later(draw('first'));
  drawing.later(draw('second'));
  expect(drawn).toEqual(['first', 'second']);
  notifyManager.schedule(draw('answer'));
  vi.advanceTimersByTime(0);
  expect(drawn.at(-1)).toBe('answer');
});

test('while many are sent, the first is rendered immediately, and the following together, in order', () => {
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

test('delayed changes are rendered as soon as all are sent, and before later ones', () => {
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

test('a closed outbox delays nothing', () => {
  areMany = true;
  drawing.later(draw('one'));
  drawing.later(draw('two'));
  drawing.stop();
  expect(drawn).toEqual(['one', 'two']);
  notifyManager.schedule(draw('answer'));
  vi.advanceTimersByTime(0);
  expect(drawn.at(-1)).toBe('answer');
});
