/**
 * Two PostgreSQL 15 that Patroni manages as a pair: a primary and its synchronous replica; an etcd holds which is
 * which. HAProxy has a port for each role, and asks Patroni every second. On two machines it would be the same, with
 * three etcd.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { makeLogin, urlOf, type Ground } from './externalPrograms';
import { findProcessesOn } from './processes';
import { findFreePort } from '../support/freePort';

const names = ['one', 'other'] as const;
type Name = (typeof names)[number];
type Node = { name: Name; port: number; apiPort: number };
type Member = { name: string; role: string; state: string };

export type Pair = Awaited<ReturnType<typeof startPair>>;

/**
 * Seconds, the least that Patroni's documentation allows. A lost primary is replaced when its lease expires: after ttl
 * at the latest, plus the time of the election.
 */
const times = { ttl: 20, loop_wait: 2, retry_timeout: 3 };
const pairedWithinMs = 120_000;

export async function startPair(ground: Ground) {
  const etcdPort = await startEtcd(ground);
  const nodes: Node[] = [];
  for (const name of names) nodes.push({ name, port: await findFreePort(), apiPort: await findFreePort() });
  const settings = new Map<Name, string>();
  for (const node of nodes) {
    settings.set(node.name, await ground.write(`${node.name}.yml`, JSON.stringify(settingsOf(ground, node, etcdPort))));
  }
  const start = (node: Node) => ground.start('patroni', [settings.get(node.name) ?? ''], node.apiPort);
  for (const node of nodes) await start(node);
  const primaryPort = await findFreePort();
  const replicaPort = await findFreePort();
  const proxy = await ground.write('haproxy.cfg', proxySettings(nodes, { primary: primaryPort, replica: replicaPort }));
  await untilPaired();
  await ground.start('haproxy', ['-db', '-f', proxy], primaryPort);
  await untilSorted(primaryPort);
  await makeLogin(primaryPort);

  /** Waits for a primary, and a replica that has caught up. */
  async function untilPaired(): Promise<void> {
    for (const began = Date.now(); ; await pause(200)) {
      const members = await listMembers();
      const roles = members.filter(({ state }) => ['running', 'streaming'].includes(state)).map(({ role }) => role);
      if (roles.includes('leader') && roles.includes('sync_standby')) return;
      if (Date.now() - began > pairedWithinMs) throw new Error(`there is no pair: ${JSON.stringify(members)}`);
    }
  }

  async function listMembers(): Promise<Member[]> {
    for (const { apiPort } of nodes) {
      const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async function requireNode(role: string): Promise<Node> {
    const name = (await listMembers()).find((member) => member.role === role)?.name;
    const node = nodes.find((each) => each.name === name);
    if (!node) throw new Error(`nobody is the ${role}`);
    return node;
  }

  return {
    /** URLs of the present primary and of the present replica. */
    primaryUrl: urlOf(primaryPort),
    replicaUrl: (url: string) => Object.assign(new URL(url), { port: String(replicaPort) }).href,
    /** The URL of the replica itself, for a login that may read its statistics. */
    findReplica: async (database: string) => urlOf((await requireNode('sync_standby')).port, database, 'postgres'),
    /** Kills PostgreSQL, its processes and its Patroni together, as when the machine dies. */
    async killPrimary(): Promise<Node> {
      const node = await requireNode('leader');
      killAll(ground, node);
      return node;
    },
    /** Starts it again: Patroni finds the new primary by itself, and rewinds the old one. */
    async bringBack(node: Node): Promise<void> {
      await start(node);
      await untilPaired();
    },
    close: () => nodes.forEach((node) => killAll(ground, node)),
  };
}

/** HAProxy takes every server for the primary until its first check. */
async function untilSorted(port: number): Promise<void> {
  for (let inTurn = 0; inTurn < names.length * 2; await pause(100)) {
    const client = new Client(urlOf(port, 'postgres', 'postgres'));
    const isReplica = await client
      .connect()
      .then(() => client.query<{ is: boolean }>('select pg_is_in_recovery() as is'))
      .then(({ rows }) => rows[0]?.is)
      .catch(() => undefined);
    await client.end().catch(() => undefined);
    inTurn = isReplica === false ? inTurn + 1 : 0;
  }
}

function killAll({ folder }: Ground, { name }: Node): void {
  for (const pid of findProcessesOn(`${folder}/${name}`)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it ended with the former primary
    }
  }
}

async function startEtcd(ground: Ground): Promise<number> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()];
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    name: 'etcd',
    'data-dir': `${ground.folder}/etcd`,
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
  };
  await ground.start(
    'etcd',
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    port,
  );
  return port;
}

/** Patroni reads YAML, of which JSON is a part. */
function settingsOf({ folder }: Ground, { name, port, apiPort }: Node, etcdPort: number): object {
  const everybody = ['all', 'replication'].map((database) => `host ${database} all 127.0.0.1/32 trust`);
  return {
    scope: 'shop',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...times,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [...everybody, 'local all all trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: `${folder}/${name}`,
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: `${folder}/${name}.pgpass`,
      authentication: {
        superuser: { username: 'postgres', password: 'postgres' },
        replication: { username: 'replicator', password: 'replicator' },
      },
      parameters: { unix_socket_directories: folder },
    },
  };
}

function proxySettings(nodes: readonly Node[], ports: Record<'primary' | 'replica', number>): string {
  const parts = Object.entries(ports).map(
    ([role, port]) => `
listen ${role}
  bind 127.0.0.1:${port}
  option httpchk GET /${role}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.apiPort}`).join('\n')}
`,
  );
  return `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
${parts.join('')}`;
}
