/**
 * Mozilla’s Observatory over the shop, behind https as in production.
 *
 *   node tests/security/observatory.mjs <folder with the scanner>
 *
 * The scanner is no dependency: its install script needs the internet and its lists come from there. Once, in a folder of
 * your own: npm i --ignore-scripts @mdn/mdn-http-observatory@1.4.8. Needs a built shop (npm run build) and openssl. Starts the
 * shop on a data folder of its own and a TLS front with a certificate of its own; leaves nothing behind. Fails under
 * A+ 130 on any of the pages.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openBuiltShop } from './builtShop.mjs';

const [scanner] = process.argv.slice(2);
if (!scanner) throw new Error('say where the scanner is: node tests/security/observatory.mjs /tmp/observatory');
const folder = mkdtempSync(path.join(tmpdir(), 'observatory-'));
const ports = { shop: 43_100, sandbox: 43_101, firstFront: 43_143 };
const wanted = 130;
const ends = [];

try {
  prepareLists(path.join(scanner, 'node_modules/@mdn/mdn-http-observatory'));
  makeCertificate();
  const publicUrl = `https://127.0.0.1:${ports.firstFront}`;
  const shop = await openBuiltShop({
    PORT: String(ports.shop),
    SANDBOX_PORT: String(ports.sandbox),
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    PAYMENTS: 'sandbox',
    TRUST_PROXY: '127.0.0.1',
  });
  ends.push(shop.close);
  const paymentPage = await openPaymentPage(publicUrl);
  const fronts = [
    ...['/', '/login', '/products/savory', '/cart', '/dashboard', '/nowhere'].map((page) => [page, ports.shop, page]),
    ['the payment page', ports.sandbox, paymentPage],
  ];
  let isGood = true;
  for (const [at, [name, behind, page]] of fronts.entries()) {
    const front = ports.firstFront + at;
    await startFront(front, behind, page);
    const { grade, score } = await scan(front);
    isGood &&= score >= wanted;
    process.stdout.write(`${String(name).padEnd(20)} ${grade} ${score}\n`);
  }
  process.exitCode = isGood ? 0 : 1;
} finally {
  for (const end of ends.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
}

/** The lists that the scanner's install script would download: no preloaded hosts, and a few top-level domains. */
function prepareLists(home) {
  mkdirSync(path.join(home, 'conf'), { recursive: true });
  writeFileSync(path.join(home, 'conf/hsts-preload.json'), '{}');
  writeFileSync(path.join(home, 'conf/tld-list.json'), '["com","org","net","test"]');
}

function makeCertificate() {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name));
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    cert,
    ...subject,
  ];
  execFileSync('openssl', made, { stdio: 'ignore' });
}

/**
 * A proxy that ends TLS. The scanner looks at `/` alone and reads no page with an error's status, so each page has a
 * proxy of its own that serves the page at `/`, with status 200, and with the shop's headers and text.
 */
function startFront(port, behind, page) {
  const tls = { key: readFileSync(path.join(folder, 'key.pem')), cert: readFileSync(path.join(folder, 'cert.pem')) };
  const front = https.createServer(tls, (request, response) => {
    const { method, url, headers } = request;
    const where = url === '/' ? page : url;
    const onward = http.request({ host: '127.0.0.1', port: behind, method, path: where, headers }, (answer) => {
      const isPage = where === page && answer.statusCode === 404;
      response.writeHead(isPage ? 200 : answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  ends.push(() => new Promise((resolve) => front.close(resolve)));
  return new Promise((resolve) => front.listen(port, '127.0.0.1', resolve));
}

/** Buys something up to the payment page. @returns its path */
async function openPaymentPage(publicUrl) {
  const api = `http://127.0.0.1:${ports.shop}/api`;
  const call = async (method, where, body, token) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${api}${where}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const person = { email: 'scan@example.com', password: 'a long enough one 1' };
  await call('POST', '/auth/register', { ...person, confirmPassword: person.password, fullName: 'Scan', ...address });
  const { jwt, user } = (await call('POST', '/auth/login', person)).authResponse;
  const { products } = await call('GET', '/public/products?size=1');
  await call('POST', `/public/cart/add/${user.id}`, { productId: products.content[0].id, quantity: 1 }, jwt);
  const { cartResponse } = await call('GET', `/public/cart/${user.id}`, undefined, jwt);
  const order = { customer: 'Scan', deliveryAddress: address };
  const where = `/public/order/${user.id}/payment/${cartResponse.cartId}`;
  const { paymentUrl } = await call('POST', where, order, jwt);
  return new URL(paymentUrl, publicUrl).pathname;
}

async function scan(port) {
  const program = path.join(scanner, 'node_modules/@mdn/mdn-http-observatory/src/scan.js');
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: path.join(folder, 'cert.pem') };
  // not the Sync function: it would block the proxy, which is in this process
  const { stdout } = await promisify(execFile)(process.execPath, [program, `127.0.0.1:${port}`], { env });
  const { scan: result, error } = JSON.parse(stdout);
  if (!result) throw new Error(error ?? stdout);
  return result;
}
