/**
 * The software bill of materials (CycloneDX 1.6) from package-lock.json, without development packages. The same lock file
 * gives the same bytes.
 * Source: OWASP ASVS 5.0, 15.1.2
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes the list of the packages in `lockFile`. */
export async function writeSbom(lockFile, file) {
  const sbom = listParts(JSON.parse(await readFile(lockFile, 'utf8')));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(sbom, null, 2)}\n`);
}

/** @param lock package-lock.json, of lockfileVersion 3 @returns a CycloneDX document */
export function listParts({ packages }) {
  const shipped = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && !dev);
  const refOf = Object.fromEntries(shipped.map(([folder, entry]) => [folder, purl(folder, entry)]));
  const own = packages[''];
  const root = `pkg:npm/${own.name}@${own.version}`;
  const folders = new Map(shipped.map(([folder]) => [refOf[folder], folder])); // a version may be in several folders
  const refs = [...folders.keys()].sort();
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': root, name: own.name, version: own.version, purl: root },
    },
    components: refs.map((ref) => describe(ref, folders.get(ref), packages[folders.get(ref)])),
    dependencies: [
      { ref: root, dependsOn: needs('', own) },
      ...refs.map((ref) => ({ ref, dependsOn: needs(folders.get(ref), packages[folders.get(ref)]) })),
    ],
  };

  function needs(folder, { dependencies, optionalDependencies, peerDependencies }) {
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const found = names.map((name) => refOf[resolve(folder, name)]).filter(Boolean);
    return [...new Set(found)].sort();
  }

  /** The folder where Node finds a package: in the nearest node_modules above. */
  function resolve(from, name) {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const folder = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
      if (folder in packages || at === '') return folder;
    }
  }
}

function describe(ref, folder, entry) {
  const { version, license, integrity, optional } = entry;
  return {
    type: 'library',
    'bom-ref': ref,
    name: nameOf(folder, entry),
    version,
    scope: optional ? 'optional' : 'required',
    ...(license && { licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }] }),
    ...(integrity && { hashes: integrity.split(' ').map(hashOf) }),
    purl: ref,
  };
}

const hashOf = (integrity) => {
  const [algorithm, value] = integrity.split(/-(.*)/s);
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(value, 'base64').toString('hex'),
  };
};

const nameOf = (folder, { name }) => name ?? folder.split('node_modules/').at(-1);
const purl = (folder, entry) => `pkg:npm/${nameOf(folder, entry).replace('@', '%40')}@${entry.version}`;
