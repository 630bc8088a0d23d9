/**
 * The soak: a day's requests in a few minutes, of visitors, customers and refused ones; after each ten thousand the
 * chaos run measures the process. Memory and handles must not grow with the number of requests.
 * Rule: docs/rules/failures.md, HTTP and load
 */
import type { Market } from './market';

export type SoakTotals = { requests: number; failures: number; samples: Sample[]; growthMb: number; wrong: string[] };
type Sample = { requests: number; memoryMb: number; heapMb: number; handles: number; connections: number };
type Options = { requests: number; metricsUrl: string; report?: (line: string) => void };

const parallelCallers = 24;
const sampleEvery = 10_000;
/** By then the caches are full and the code is compiled. */
const warmUpShare = 0.3;
const mostGrowthMb = 1; // for each 10,000 requests

export async function runSoak(
  market: Market,
  { requests, metricsUrl, report = () => undefined }: Options,
): Promise<SoakTotals> {
  const [product] = market.products;
  const buyers = await market.newBuyers(Array.from({ length: 50 }, () => []));
  const { url } = market.shop;
  const kinds = [
    () => `${url}/`,
    () => `${url}/products/savory`,
    () => `${url}/api/public/products?page=1`,
    () => `${url}/api/public/products/${product?.id}`,
    () => `${url}/api/public/products/${crypto.randomUUID()}`,
    () => `${url}/nothing/${crypto.randomUUID()}`,
    () => `${url}/api/public/cart`,
  ];
  const seen = { asked: 0, failures: 0 };
  const samples: Sample[] = [];
  const askUntil = async (until: number) => {
    while (seen.asked < until) {
      const each = seen.asked++;
      const buyer = buyers[each % buyers.length];
      const ofBuyer = each % 3 === 0 && buyer;
      const target = ofBuyer ? `${url}/api/public/cart/${buyer.userId}` : (kinds[each % kinds.length] ?? kinds[0])?.();
      const headers = ofBuyer ? { authorization: `Bearer ${buyer.token}` } : undefined;
      const answer = await fetch(target ?? url, headers && { headers });
      await answer.arrayBuffer();
      if (answer.status >= 500) seen.failures++;
    }
  };
  while (seen.asked < requests) {
    const until = Math.min(seen.asked + sampleEvery, requests);
    await Promise.all(Array.from({ length: parallelCallers }, () => askUntil(until)));
    const sample = await look(metricsUrl, seen.asked);
    samples.push(sample);
    report(
      Object.entries(sample)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    );
  }
  const steady = samples.slice(Math.floor(samples.length * warmUpShare));
  const growthMb = slope(steady) * sampleEvery;
  const wrong: string[] = [];
  if (seen.failures > 0) wrong.push(`${seen.failures} answers of 500 and more`);
  if (growthMb > mostGrowthMb)
    wrong.push(`memory grows by ${growthMb.toFixed(2)} MB with each ${sampleEvery} requests`);
  const [first, last] = [steady[0], steady.at(-1)];
  if (first && last && last.handles > first.handles + parallelCallers)
    wrong.push(`handles grew from ${first.handles} to ${last.handles}`);
  return { requests: seen.asked, failures: seen.failures, samples, growthMb, wrong };
}

async function look(metricsUrl: string, requests: number): Promise<Sample> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const read = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(name))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const mb = (name: string) => Math.round(read(name) / 1e5) / 10;
  return {
    requests,
    memoryMb: mb('process_resident_memory_bytes '),
    heapMb: mb('nodejs_heap_size_used_bytes '),
    handles: read('nodejs_active_resources_total '),
    connections: read('shop_database_connections{state="busy"}') + read('shop_database_connections{state="idle"}'),
  };
}

/** The slope of memory over requests, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(samples.map(({ requests }) => requests));
  const y = mean(samples.map(({ memoryMb }) => memoryMb));
  const up = samples.reduce((sum, each) => sum + (each.requests - x) * (each.memoryMb - y), 0);
  const across = samples.reduce((sum, each) => sum + (each.requests - x) ** 2, 0);
  return across === 0 ? 0 : up / across;
}
