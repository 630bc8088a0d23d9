/**
 * `npm run bench -- photos`: what customers notice while photos are added. Making the sizes of a photo takes far longer
 * than loading it from a link or receiving it. Rule: docs/rules/catalog.md, Photos from links
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { noiseBytes } from '../support/random';
import { presentAims } from './aims';
import { addToCarts, createBuyers, ownerToken, p95 } from './buyers';
import { withBench } from './opened';

const buyersAtOnce = 4;
const photosAtOnce = 4;
const rounds = 4;
const quietSeconds = 10;

await withBench(async ({ url, pool, products, secret }) => {
  const { rows: owners } = await pool.query<{ id: string }>(`select id from users where role = 'ROLE_OWNER' limit 1`);
  const token = await ownerToken(pool, owners[0]?.id ?? '', secret);
  const buyers = await createBuyers(pool, buyersAtOnce, secret);
  const add = (until: Promise<unknown>) => addToCarts({ url, buyers, products, until });
  await add(pause(3_000)); // warms up

  const [quiet, busy, tookMs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    quiet.push(...(await add(pause(quietSeconds * 1000))));
    const productId = products[round]?.id ?? '';
    const files = Array.from({ length: photosAtOnce }, (_, at) => photo(round * photosAtOnce + at));
    for (const file of await Promise.all(files)) await upload(productId, file);
    const began = performance.now();
    busy.push(...(await add(untilMade())));
    tookMs.push(performance.now() - began);
  }
  const ratio = p95(busy) / p95(quiet);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const all = tookMs.reduce((sum, each) => sum + each, 0);
  const aim = {
    what: `cart add while photos are made, ${buyersAtOnce} buyers, p95`,
    figures: {
      meanwhile: ms(p95(busy)),
      without: ms(p95(quiet)),
      ratio: ratio.toFixed(2),
      'a photo': `${(all / 1000 / rounds / photosAtOnce).toFixed(1)} s`,
    },
    goal: '2 times',
    isMet: ratio <= 2,
  };
  console.log(presentAims([aim]));

  async function upload(productId: string, file: Buffer): Promise<void> {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(file)]), 'photo.jpg');
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
    const answer = await fetch(`${url}/api/admin/products/${productId}/photos`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`photo: ${answer.status} ${await answer.text()}`);
  }

  async function untilMade(): Promise<void> {
    for (;;) {
      const { rows } = await pool.query(`select from picture_uploads where state = 'processing' limit 1`);
      if (rows.length === 0) return;
      await pause(100);
    }
  }
});

/** As large as one of a phone: 12 megapixels. */
function photo(at: number): Promise<Buffer> {
  const [width, height] = [500 + at, 375];
  const noise = sharp(noiseBytes(width * height * 3), { raw: { width, height, channels: 3 } });
  return noise.resize(4000, 3000, { fit: 'fill' }).jpeg({ quality: 85 }).toBuffer();
}
