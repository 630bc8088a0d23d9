import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

interface Defect {
  name: string;
  file: string;
  find: string;
  caughtBy?: string[];
  walk?: [engine: string, title: string];
}

const list = pathToFileURL(path.resolve('tests/defects/defects.mjs')).href;
const { defects } = (await import(/* @vite-ignore */ list)) as { defects: Defect[] };
const read = (file: string) => readFileSync(file, 'utf8');

test.each(defects.map((defect) => [defect.name, defect] as const))(
  'the place to plant it, and what must catch it, are there: %s',
  (_, { file, find, caughtBy = [], walk }) => {
    expect(read(file).split(find)).toHaveLength(2);
    for (const name of caughtBy) expect(read(`tests/${name}.ts`)).toContain('test');
    const walks = readdirSync('tests/engines').filter((name) => name.endsWith('.spec.ts'));
    if (walk) expect(walks.filter((name) => read(`tests/engines/${name}`).includes(walk[1]))).toHaveLength(1);
  },
);
