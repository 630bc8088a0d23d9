import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** @returns the program of a shop that loads photos from links from this machine (photoShop.ts) */
export async function buildPhotoShop(): Promise<string> {
  const outDir = '.cache/photoShop';
  const args = ['build', '--ssr', 'tests/chaos/photoShop.ts', '--mode', 'bench', '--outDir', outDir];
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', ...args, '--logLevel', 'warn']);
  return `${outDir}/photoShop.js`;
}
