import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** ASVS 15.1.2: the list of parts that every build writes beside the shop. */
type Part = { name: string; version: string; purl: string; scope: string; hashes?: { alg: string; content: string }[] };
type Sbom = { components: Part[]; dependencies: { ref: string; dependsOn: string[] }[] } & Record<string, unknown>;
/** Plain JavaScript without types. */
const tool = path.resolve('src/tools/sbom.mjs');
let folder: string;
let sbom: Sbom;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sbom-'));
  const { writeSbom } = (await import(/* @vite-ignore */ pathToFileURL(tool).href)) as {
    writeSbom: (lockFile: string, file: string) => Promise<void>;
  };
  await writeSbom('package-lock.json', path.join(folder, 'dist/sbom.json'));
  sbom = JSON.parse(await readFile(path.join(folder, 'dist/sbom.json'), 'utf8')) as Sbom;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, Record<string, string>>;

test('it is a CycloneDX document of the shop', () => {
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { type: 'application', name: manifest['name'], version: manifest['version'] } },
  });
});

test('it has every package that the shop ships, in its exact version, with its license and checksum', () => {
  for (const [name, version] of Object.entries(manifest['dependencies'] ?? {})) {
    expect(sbom.components.find((part) => part.name === name)?.version, name).toBe(version);
  }
  expect(sbom.components.length).toBeGreaterThan(Object.keys(manifest['dependencies'] ?? {}).length);
  for (const { name, hashes } of sbom.components) {
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }]);
  }
});

test('build and test dependencies are not in it', () => {
  const names = new Set(sbom.components.map(({ name }) => name));
  for (const name of ['vite', 'vitest', 'playwright', 'oxlint', 'typescript-7']) {
    expect(manifest['devDependencies']).toHaveProperty(name);
    expect(names).not.toContain(name);
  }
});

test('every part is listed once, and every dependency leads to listed parts', () => {
  const refs = sbom.dependencies.map(({ ref }) => ref);
  expect(new Set(refs).size).toBe(refs.length);
  for (const { dependsOn } of sbom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  const fastify = sbom.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/fastify@'));
  expect(fastify?.dependsOn).toContainEqual(expect.stringMatching(/^pkg:npm\/pino@/));
});

test('the build writes it', async () => {
  expect(await readFile('src/tools/steps.mjs', 'utf8')).toContain(
    "await writeSbom('package-lock.json', 'dist/sbom.json')",
  );
});
