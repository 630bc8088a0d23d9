import { afterEach, expect, test, vi } from 'vitest';
import { ConfigError } from '../../../src/server/core/config';
import { exitWithError } from '../../../src/server/core/exitWithError';
import { StartError } from '../../../src/server/core/startError';

afterEach(() => vi.restoreAllMocks());

/** What the process prints as it ends. */
function saidOf(error: unknown): string {
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((said += String(text))));
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`);
  });
  expect(() => exitWithError(error)).toThrow('ended with 1');
  exit.mockRestore();
  return said;
}

test.each([new ConfigError('PORT: 0 is no port'), new StartError('The backup is damaged')])(
  'an error that the operator can fix is one sentence: %s',
  (error) => expect(saidOf(error)).toBe(`${error.message}\n`),
);

test('a bug shows its stack', () => {
  const said = saidOf(new Error("the server isn't serving requests yet"));
  expect(said).toContain("the server isn't serving requests yet");
  expect(said).toContain('exitWithError.test.ts');
});
