/**
 * `npm run bench -- ratios`: the built server with its own PostgreSQL, compared with the least program that could do
 * the same. Each pair is measured in turns and the median run counts, so the ratios depend on the shop and not the
 * machine.
 */
import { cpus } from 'node:os';
import { measureAll, reads, turns, writes, type Rows } from './comparisons';
import type { Run } from './measure';
import { withBench } from './opened';

await withBench(async (parts) => console.log(present(await measureAll(parts))));

function present(rows: Rows): string {
  const number = (value: number) => (value < 100 ? value.toFixed(1) : value.toFixed(0));
  const cells = ({ perSecond, p50Ms, p99Ms }: Run) => [perSecond, p50Ms, p99Ms].map(number);
  const line = (list: string[]) => `| ${list.join(' | ')} |`;
  const head = ['', 'bare/s', 'p50 ms', 'p99 ms', 'shop/s', 'p50 ms', 'p99 ms', 'rate', 'p99'];
  const ratios = ({ bare, shop }: Rows[number]) => [
    (shop.perSecond / bare.perSecond).toFixed(2),
    `${(shop.p99Ms / bare.p99Ms).toFixed(1)}x`,
  ];
  return [
    `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}; ` +
      `reads with ${reads.connections}, writes with ${writes.connections} at once; middle of ${turns} turns`,
    '',
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => line([row.name, ...cells(row.bare), ...cells(row.shop), ...ratios(row)])),
  ].join('\n');
}
