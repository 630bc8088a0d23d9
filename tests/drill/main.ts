/** `npm run drill`: the long kill drill. DRILL_ROUNDS, DRILL_SEED, DRILL_DATABASE_URL. */
import { runDrill, type Totals } from './drill';

const rounds = Number(process.env['DRILL_ROUNDS'] ?? 200);
const seed = Number(process.env['DRILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const databaseUrl = process.env['DRILL_DATABASE_URL'] || undefined;

console.log(
  `drill of ${rounds} rounds, seed ${seed}, ${databaseUrl ? 'PostgreSQL by URL' : 'the shop’s own PostgreSQL'}`,
);
const totals = await runDrill({ rounds, seed, databaseUrl, maxLoadMs: 1_200, report: (line) => console.log(line) });
console.log(describe(totals));
process.exitCode = isRight(totals) ? 0 : 1;

function describe({ kills, seen, readyMs, lost, double, breaches, ...totals }: Totals): string {
  const sorted = readyMs.toSorted((a, b) => a - b);
  const killed = Object.entries(kills).map(([kind, times]) => `${kind} ${times}`);
  const failures = Object.entries(seen.failures).map(([kind, times]) => `${kind}: ${times}`);
  return [
    `kills: ${killed.join(', ')}; ready again: median ${sorted[Math.floor(sorted.length / 2)]} ms`,
    `calls ${seen.calls}, cut ${seen.cuts}, failures ${failures.join(', ') || 'none'}`,
    ...lost,
    ...double,
    ...breaches,
    `rounds ${totals.rounds}, acknowledged writes ${totals.acknowledged}, lost ${lost.length}, orders ${totals.orders}, ` +
      `paid ${totals.paid}, double ${double.length}, oversold ${totals.oversold}, broken rules ${breaches.length}, ` +
      `lost sessions ${seen.lostSessions}, left processes ${totals.leftProcesses}, slowest start ${sorted.at(-1)} ms`,
  ].join('\n');
}

function isRight({ lost, double, breaches, oversold, leftProcesses, seen }: Totals): boolean {
  return lost.length + double.length + breaches.length + oversold + leftProcesses + seen.lostSessions === 0;
}
