/**
 * `npm run bench -- ratios`: the built server with its own PostgreSQL, compared with the least program that could do
 * the same. Each pair is measured in turns and the median run counts, so the ratios depend on the shop and not the
 * machine. `-- ratios cart` measures only what has the word in its name.
 */
import { cpus } from 'node:os';
import { measureAll, reads, turns, writes, type Row, type Rows } from './comparisons';
import type { Run } from './measure';
import { withBench } from './opened';

await withBench(async (parts) => {
  const chosen = process.argv[3];
  const rows = await measureAll(parts, chosen);
  console.log(present(rows));
});

function present(rows: Rows): string {
  const number = (value: number) => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0));
  const cells = ({ perSecond, p50Ms, p99Ms, cpuMs }: Run) => [perSecond, p50Ms, p99Ms, cpuMs].map(number);
  const line = (list: string[]) => `| ${list.join(' | ')} |`;
  const figures = ['p50 ms', 'p99 ms', 'CPU ms'];
  const head = ['', 'bare/s', ...figures, 'shop/s', ...figures, 'rate', 'p99', 'CPU', 'before', 'wanted', 'met'];
  return [
    `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}; ` +
      `reads with ${reads.connections}, writes with ${writes.connections} at once; middle of ${turns} turns`,
    '',
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => line([row.name, ...cells(row.bare), ...cells(row.shop), ...compare(row)])),
  ].join('\n');
}

/** Rate, p99 and processor time of the shop beside the bare program's, and their targets. */
function compare({ bare, shop, before = '', wanted }: Row): string[] {
  const [rate, p99, cpu] = [shop.perSecond / bare.perSecond, shop.p99Ms / bare.p99Ms, shop.cpuMs / bare.cpuMs];
  const { rate: least = 0, cpuMs = Infinity, cpuTimes = Infinity } = wanted ?? {};
  const isMet = rate >= least && shop.cpuMs <= cpuMs && cpu <= cpuTimes;
  const aims = [
    least > 0 && `rate ≥ ${least}`,
    cpuMs < Infinity && `CPU ≤ ${cpuMs} ms`,
    cpuTimes < Infinity && `CPU ≤ ${cpuTimes}x`,
  ].filter(Boolean);
  const ratios = [rate.toFixed(2), `${p99.toFixed(1)}x`, `${cpu.toFixed(1)}x`];
  return [...ratios, before, aims.join(', '), wanted ? (isMet ? 'yes' : 'no') : ''];
}
