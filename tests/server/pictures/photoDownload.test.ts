/** Loading a photo from a link never reaches into a private network. Rule: docs/rules/catalog.md, Photos from links */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadPhoto, publicWeb, type Web } from '../../../src/server/pictures/photoDownload';
import { isPublicAddress } from '../../../src/server/pictures/publicAddresses';
import { pictureLimits } from '../../../src/shared/pictureUploads';
import { startPhotoServer, type PhotoServer } from '../../support/photoServer';

let server: PhotoServer;
beforeAll(async () => {
  server = await startPhotoServer();
});
afterAll(() => server.close());

const file = Buffer.from('a photo');
const load = (link: string, web: Partial<Web> = {}) => downloadPhoto(link, { ...server.web, ...web });
const failed = (message: string, mayPass = false) => ({ message, mayPass });
const isPrivate = failed('the link leads to a private network');
/** The name server's answers of the real web, and its check of addresses. */
const resolvesTo = (...addresses: string[]): Web => ({ ...publicWeb, resolve: async () => addresses });

describe('an address is not public', () => {
  test.each([
    ['of this machine', '127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::'],
    ['of a private network', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    ['of a cloud machine about itself', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254', 'fec0::1'],
    ['behind a carrier', '100.64.0.1', '100.127.255.255'],
    ['of many machines', '224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1', '192.88.99.1'],
    ['that stands for an IPv4 address', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::7f00:1', '::808:808'],
    ['that stands for a public IPv4 address', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'],
    [
      'of a translator',
      '64:ff9b::7f00:1',
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::1',
      '2001::1',
      '2001:0:4136:e378:8000:63bf:80ff:fffe',
      '64:ff9b:1:ffff::7f00:1',
      '::ffff:0:7f00:1',
      '192.0.0.170',
    ],
    [
      'without an owner',
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '198.18.0.1',
      '240.0.0.1',
      '192.0.0.1',
      '2001:db8::1',
      '3fff::1',
      '2001:2::1',
      '2001:20::1',
      '5f00::1',
      '100::1',
      '100:0:0:1::1',
      '4000::1',
    ],
    ['that is none', '', 'localhost', '127.1', '0x7f000001', '2130706433', '8.8.8', '1.1.1.1:80', '[::1]'],
  ])('%s', (_, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  test('addresses of the internet are public', () => {
    const addresses = [
      '1.1.1.1',
      '8.8.8.8',
      '23.227.38.65',
      '172.15.0.1',
      '100.63.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ];
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe('nothing is loaded', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:169.254.169.254]/latest/meta-data/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:ffff:7f00:0001]/',
    'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://224.0.0.1/',
  ])('from the address %s', async (link) => {
    await expect(downloadPhoto(link)).rejects.toMatchObject(isPrivate);
  });

  test.each([
    ['a private address', ['10.0.0.5']],
    ['this machine, as IPv6', ['::1']],
    ['this machine, as a mapped address', ['::ffff:127.0.0.1']],
    ['this machine, through a translator', ['64:ff9b::7f00:1']],
    ['a private network of IPv6', ['fd12:3456::1']],
    ['a cloud machine about itself', ['169.254.169.254']],
    ['a neighbor on the same link', ['fe80::1%eth0']],
    ['a public and a private address', ['1.1.1.1', '192.168.0.10']],
    ['a private address after public ones of both kinds', ['1.1.1.1', '2606:4700::1111', 'fd00::1']],
    ['nothing', []],
  ])('from a name that leads to %s', async (_, addresses) => {
    await expect(downloadPhoto('https://photos.example/a.jpg', resolvesTo(...addresses))).rejects.toMatchObject(
      isPrivate,
    );
  });

  test.each([
    ['http://photos.example/a.jpg', "the link doesn't start with https://"],
    ['file:///etc/passwd', "the link doesn't start with https://"],
    ['ftp://photos.example/a.jpg', "the link doesn't start with https://"],
    ['data:image/png;base64,AAAA', "the link doesn't start with https://"],
    ['photo.jpg', "the link doesn't start with https://"],
    ['https://user:secret@photos.example/a.jpg', 'the link contains a password'],
  ])('from the link %s', async (link, message) => {
    await expect(load(link)).rejects.toMatchObject(failed(message));
  });

  test.each([
    ['a name of a private network', 'https://intern.photos.example/x', isPrivate],
    ['an address in decimal', 'https://2130706433/x', isPrivate],
    ['an address without a scheme', '//10.0.0.1/x', isPrivate],
    ['this machine, as IPv6', 'https://[::1]/x', isPrivate],
    ['this machine, as a mapped address', 'https://[::ffff:127.0.0.1]/x', isPrivate],
    ['a private address of IPv6', 'https://[fd00::1]/x', isPrivate],
    ['a cloud machine about itself', 'https://169.254.169.254/latest/meta-data/', isPrivate],
    ['a file', 'file:///etc/passwd', failed("the link doesn't start with https://")],
    ['a link with a password', 'https://user:secret@photos.example/x', failed('the link contains a password')],
    ['a link without https', 'http://photos.example/x', failed("the link doesn't start with https://")],
  ])('when a redirect leads to %s', async (_, location, problem) => {
    const link = server.status('/redirect', 302, { location });
    const first = server.asked.length;
    await expect(load(link, { isAllowed: onlyFirst() })).rejects.toMatchObject(problem);
    expect(server.asked.slice(first)).toEqual(['/redirect']);
  });
});

/** Allows the first address only, although the second is the same. */
function onlyFirst() {
  let checked = 0;
  return () => (checked += 1) === 1;
}

test('the connection goes to the address that was checked, whatever the name server says later', async () => {
  const link = server.photo('/pinned.jpg', file);
  const said = ['127.0.0.7', '127.0.0.8', '127.0.0.9'];
  const checked: string[] = [];
  const isAllowed = (address: string) => checked.push(address) > 0;
  const first = server.addresses.length;
  const loaded = await load(link, { resolve: async () => said.splice(0, 1), isAllowed });
  expect(loaded).toEqual(file);
  expect(checked).toEqual(['127.0.0.7']);
  expect(server.addresses.slice(first)).toEqual(['127.0.0.7']);
  expect(said).toEqual(['127.0.0.8', '127.0.0.9']); // not asked again
});

test('a name that leads to a private address by the time of a redirect is not asked again', async () => {
  const link = server.status('/back', 302, { location: '/inner.jpg' });
  const said = [['127.0.0.1'], ['10.0.0.5']];
  const isAllowed = (address: string) => address === '127.0.0.1';
  const first = server.asked.length;
  await expect(load(link, { resolve: async () => said.shift() ?? [], isAllowed })).rejects.toMatchObject(isPrivate);
  expect([server.asked.slice(first), said]).toEqual([['/back'], []]);
});

test('the third redirect is checked as the first', async () => {
  server.status('/last', 302, { location: 'https://192.168.0.1/x' });
  server.status('/next', 302, { location: '/last' });
  const link = server.status('/start', 302, { location: '/next' });
  const first = server.asked.length;
  await expect(load(link)).rejects.toMatchObject(isPrivate);
  expect(server.asked.slice(first)).toEqual(['/start', '/next', '/last']);
});

test('each redirect is resolved and checked again', async () => {
  server.photo('/end.jpg', file);
  const second = server.status('/second', 307, { location: '/end.jpg' });
  const link = server.status('/first', 301, { location: second.replace('photos.example', 'cdn.photos.example') });
  const addresses: Record<string, string> = { 'photos.example': '127.0.0.1', 'cdn.photos.example': '127.0.0.3' };
  const first = server.addresses.length;
  expect(await load(link, { resolve: async (name) => [addresses[name] ?? ''] })).toEqual(file);
  expect(server.addresses.slice(first)).toEqual(['127.0.0.1', '127.0.0.3', '127.0.0.3']);
});

test('three redirects are followed, and not a fourth', async () => {
  server.photo('/hop-0', file);
  for (let left = 1; left <= 4; left += 1) server.status(`/hop-${left}`, 302, { location: `/hop-${left - 1}` });
  expect(await load(server.at('/hop-3'))).toEqual(file);
  await expect(load(server.at('/hop-4'))).rejects.toMatchObject(failed('the server redirected it more than 3 times'));
});

test.each([
  [404, false],
  [403, false],
  [204, false],
  [304, false],
  [429, true],
  [500, true],
  [503, true],
])('the status %i is named, and tried again only if it may pass', async (status, mayPass) => {
  const link = server.status(`/status-${status}`, status);
  await expect(load(link)).rejects.toMatchObject(failed(`the server said ${status}`, mayPass));
});

test('reading stops at 10 MB, whether or not the server names the length', async () => {
  const tooLarge = failed('the file is larger than 10 MB');
  const named = server.serve('/named', (_, response) => {
    response.writeHead(200, { 'content-length': String(pictureLimits.bytes + 1) });
    response.write('x');
  });
  await expect(load(named)).rejects.toMatchObject(tooLarge);
  let sent = 0;
  const endless = server.serve('/endless', (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await expect(load(endless)).rejects.toMatchObject(tooLarge);
  expect(sent).toBeLessThan(2 * pictureLimits.bytes);
  const largest = server.photo('/largest', Buffer.alloc(pictureLimits.bytes));
  expect(await load(largest)).toHaveLength(pictureLimits.bytes);
});

test('a server that is silent or slow is given up', async () => {
  const tooSlow = failed('the server took too long', true);
  const silent = server.serve('/silent', () => undefined);
  await expect(load(silent, { idleMs: 50 })).rejects.toMatchObject(tooSlow);
  const stuck = server.serve('/stuck', (_, response) => void response.write('x'));
  await expect(load(stuck, { idleMs: 50 })).rejects.toMatchObject(tooSlow);
  const dripping = server.serve('/dripping', (_, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  });
  await expect(load(dripping, { overallMs: 200 })).rejects.toMatchObject(tooSlow);
  const forever: Web['resolve'] = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('canceled'))));
  await expect(load(silent, { resolve: forever, overallMs: 50 })).rejects.toMatchObject(tooSlow);
});

test('a lost connection and a wrong certificate are named', async () => {
  const lost = server.serve('/lost', (request) => void request.socket.destroy());
  await expect(load(lost)).rejects.toMatchObject(failed("the server didn't answer", true));
  const halfway = server.serve('/halfway', (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x', () => void request.socket.destroy());
  });
  await expect(load(halfway)).rejects.toMatchObject(failed("the server didn't answer", true));
  const other = server.at('/', 'other.example');
  await expect(load(other)).rejects.toMatchObject(failed("the server's certificate isn't valid"));
  const nobody: Web['resolve'] = () => Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }));
  await expect(load(lost, { resolve: nobody })).rejects.toMatchObject(failed('there is no server with this name'));
});
