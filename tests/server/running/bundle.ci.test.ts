import { builtinModules } from 'node:module';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

/** Packages in node_modules are found and read file by file at every start; sharp only with the first picture. */
test('the built server contains its packages, except those with their own binary', async () => {
  const built = (await build({ logLevel: 'error', build: { ssr: true, write: false } })) as Rolldown.RolldownOutput;
  const chunks = built.output.filter((file) => file.type === 'chunk');
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const isNodes = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
  const read = chunks.flatMap(({ imports }) => imports).filter((name) => !own.has(name) && !isNodes(name));
  expect([...new Set(read)].toSorted()).toEqual(['@node-rs/argon2']);
  // in Latin-1 alone: V8 stores a file with any other letter in twice the memory
  expect(chunks.filter(({ code }) => /[\u0100-\uffff]/.test(code)).map(({ fileName }) => fileName)).toEqual([]);
});
