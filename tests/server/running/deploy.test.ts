import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from 'vitest';

/** docs/deploy agrees with the shop. Whether the files work is shown by running them. */
const read = (file: string) => readFileSync(file, 'utf8');
const config = read('src/server/core/config.ts');
const isRead = (variable: string) =>
  config.includes(`'${variable}'`) || variable === 'NODE_ENV' || variable === 'TMPDIR';

type Service = {
  image: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  volumes?: string[];
  networks: string[];
  ports?: string[];
  depends_on?: unknown;
};
type Compose = {
  services: Record<string, Service>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
};

test('the compose file has a database, the shop and a proxy, and only the proxy can be reached', () => {
  const { services, networks, volumes } = parse(read('docs/deploy/compose.yaml')) as Compose;
  expect(Object.keys(services)).toEqual(['database', 'shop', 'proxy']);
  expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['proxy']);
  for (const service of Object.values(services)) {
    for (const network of service.networks) expect(Object.keys(networks)).toContain(network);
    for (const volume of service.volumes ?? [])
      if (!volume.startsWith('.')) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
  }
  expect(services['shop']?.build).toEqual({ context: '../..', dockerfile: 'docs/deploy/Containerfile' });
  expect(Object.keys(services['shop']?.environment ?? {}).filter((name) => !isRead(name))).toEqual([]);
  expect(read('docs/deploy/Caddyfile')).toContain('reverse_proxy shop:3000');
});

test('the container file copies existing files and starts what is built', () => {
  const lines = read('docs/deploy/Containerfile').split('\n');
  const copied = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1));
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((name) => !existsSync(name))).toEqual([]);
  const set = lines.filter((line) => line.startsWith('ENV ')).flatMap((line) => line.slice(4).split(' '));
  expect(set.map((each) => each.split('=')[0] ?? '').filter((name) => !isRead(name))).toEqual([]);
  expect(lines).toContain('CMD ["node", "dist/server/main.js"]');
  expect(read('src/tools/start.mjs')).toContain('dist/server/main.js');
});

test('the systemd unit starts what is built, with settings that the shop reads', () => {
  const unit = read('docs/deploy/shop.service');
  const settings = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, all = '']) => all.split(' '));
  expect(settings.map((each) => each.split('=')[0] ?? '').filter((name) => !isRead(name))).toEqual([]);
  expect(unit).toContain('ExecStart=/usr/bin/node dist/server/main.js\n');
  const commands = read('src/server/backup/program.ts');
  for (const command of ['backup', 'restore']) expect(commands).toContain(`command === '${command}'`);
});
