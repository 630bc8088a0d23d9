import { builtinModules } from 'node:module';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

/** A package in node_modules is found and read file by file at every start; sharp only with the first picture. */
test('the built server brings its packages along, but for those with a program of their own', async () => {
  const built = (await build({ logLevel: 'error', build: { ssr: true, write: false } })) as Rolldown.RolldownOutput;
  const chunks = built.output.filter((file) => file.type === 'chunk');
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const isNodes = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
  const read = chunks.flatMap(({ imports }) => imports).filter((name) => !own.has(name) && !isNodes(name));
  expect([...new Set(read)].toSorted()).toEqual(['@node-rs/argon2']);
  // in Latin-1 alone: V8 keeps the text of a file with any other letter in twice the memory
  expect(chunks.filter(({ code }) => /[\u0100-\uffff]/.test(code)).map(({ fileName }) => fileName)).toEqual([]);
});
