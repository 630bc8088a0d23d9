/**
 * Creates the pictures of the demo catalog from src/server/db/seed/originals (`npm run pictures`, several minutes for all):
 * AVIF and WebP in four widths per product, three for the home page's hero and about pictures. Their names and sizes are
 * written to seed/pictures.json, and for the browser app to shared/brandPictures.gen.ts.
 *
 * A file is named by the hash of its original, so browsers may cache it forever, and an existing file is not created
 * again. After changing the settings below, delete seed/pictures first.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const { default: sharp } = await import('sharp');

const seedDir = join(import.meta.dirname, '../server/db/seed');
const originalsDir = join(seedDir, 'originals');
const picturesDir = join(seedDir, 'pictures');
const brandModule = join(import.meta.dirname, '../shared/brandPictures.gen.ts');

const productWidths = [160, 320, 640, 1280];
const brandWidths = [640, 1280, 1920];
const keptWidth = 320; // as in shared/pictures.ts
// pictures up to this width are used in lists, where a page loads a dozen of them
const listWidth = 640;
const maxListBytes = 40_000;
const encoders = {
  avif: (image) => image.avif({ quality: 50, effort: 4 }),
  webp: (image) => image.webp({ quality: 60, effort: 6 }),
};

sharp.concurrency(1); // one core only, so that a laptop stays usable
await mkdir(picturesDir, { recursive: true });
const catalog = JSON.parse(await readFile(join(seedDir, 'catalog.json'), 'utf8'));
const products = await makeAll(catalog.products, productWidths);
const brand = await makeAll(catalog.brandPictures, brandWidths);
await requireLightLists(products);
await writeJson(join(seedDir, 'pictures.json'), { ...products, ...brand });
await replaceFile(brandModule, brandSource(brand));
await removeStale([...Object.values(products), ...Object.values(brand)]);

async function makeAll(entries, widths) {
  const made = {};
  for (const { slug, pictureAlt } of entries) {
    const picture = await makePicture(slug, widths);
    made[slug] = { ...picture, keptBytes: await keptBytesOf(picture), alt: pictureAlt };
  }
  return made;
}

async function makePicture(slug, widths) {
  const original = await readFile(join(originalsDir, `${slug}.webp`));
  const hash = createHash('sha256').update(original).digest('hex').slice(0, 16);
  const ready = new Set(await readdir(picturesDir));
  for (const width of widths) {
    for (const [format, encode] of Object.entries(encoders)) {
      const name = `${hash}-${width}.${format}`;
      if (ready.has(name)) continue;
      // sharp removes all metadata by default
      const image = sharp(original).autoOrient().resize({ width, withoutEnlargement: true });
      await replaceFile(join(picturesDir, name), await encode(image).toBuffer());
      console.log(`${slug}: ${name}`);
    }
  }
  return { hash, ...(await measure(original)), widths };
}

/** The size of the files that a device saves one of (src/web/device/pictures.ts). */
async function keptBytesOf({ hash, widths }) {
  const width = widths.includes(keptWidth) ? keptWidth : widths[0];
  const sizeOf = async (format) => (await stat(join(picturesDir, `${hash}-${width}.${format}`))).size;
  return { avif: await sizeOf('avif'), webp: await sizeOf('webp') };
}

/**
 * The original's size in pixels and its mean color, shown until the picture has loaded. (The most frequent color does not
 * work: it is the light table in product pictures, and the darkest shadow in the others.)
 */
async function measure(original) {
  const { width, height } = await sharp(original).metadata();
  const mean = await sharp(original).removeAlpha().resize(1, 1, { fit: 'fill' }).raw().toBuffer();
  return { width, height, placeholder: `#${mean.toString('hex')}` };
}

async function requireLightLists(pictures) {
  for (const [slug, { hash, widths }] of Object.entries(pictures)) {
    for (const width of widths.filter((width) => width <= listWidth)) {
      for (const format of Object.keys(encoders)) {
        const { size } = await stat(join(picturesDir, `${hash}-${width}.${format}`));
        if (size > maxListBytes) {
          throw new Error(`${slug} at ${width} px is ${size} bytes as ${format}: lists take at most ${maxListBytes}`);
        }
      }
    }
  }
}

function brandSource(brand) {
  const lines = Object.entries(brand).map(([name, { hash, ...rest }]) => {
    const fields = JSON.stringify({ base: `/pictures/${hash}`, ...rest }, null, 2);
    return `export const ${name}Picture = ${fields} as const;\n`;
  });
  return `// Written by \`npm run pictures\`; do not edit. A file is called \`\${base}-\${width}.avif\` or \`.webp\`.\n\n${lines.join('\n')}`;
}

async function removeStale(pictures) {
  const wanted = new Set(
    pictures.flatMap(({ hash, widths }) =>
      widths.flatMap((width) => Object.keys(encoders).map((format) => `${hash}-${width}.${format}`)),
    ),
  );
  for (const name of await readdir(picturesDir)) {
    if (!wanted.has(name)) await rm(join(picturesDir, name));
  }
}

async function writeJson(path, value) {
  const text = JSON.stringify(value, null, 2);
  const oneLine = (list) => list.replaceAll(/\s+/g, '').replaceAll(',', ', ');
  await replaceFile(path, `${text.replaceAll(/\[[\d,\s]+\]/g, oneLine)}\n`);
}

/** Writes to another name and renames, so that an interrupted run leaves no partial picture. */
async function replaceFile(path, content) {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}
