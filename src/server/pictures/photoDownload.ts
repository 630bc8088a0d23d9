/**
 * Loads a photo from a link that an imported file names. The link comes from outside, so it must not reach into the network
 * of the shop: only https, only public addresses. A name is resolved once, all of its addresses are checked, and the
 * connection goes to these addresses, so another answer of the name server changes nothing. Each redirect is checked like
 * the first link.
 * Source: OWASP Server-Side Request Forgery Prevention Cheat Sheet. Rule: docs/rules/catalog.md, Photos from links
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { pictureLimits } from '../../shared/pictureUploads';
import { downloadMessages } from '../../shared/photoLinks';
import { isPublicAddress, resolveName } from './publicAddresses';

/** What a download needs from the network. Only tests hand in another one. */
export type Web = {
  /** All addresses of a name. @throws Node's error of the name server */
  resolve: (name: string, signal: AbortSignal) => Promise<string[]>;
  isAllowed: (address: string) => boolean;
  /** Certificate authorities besides the usual ones. */
  ca?: string;
  overallMs: number;
  idleMs: number;
  /** The pause after each photo, so that the shop stays fast. Making its sizes takes longer. */
  pauseMs: number;
};

export const publicWeb: Web = {
  resolve: resolveName,
  isAllowed: isPublicAddress,
  overallMs: 30_000,
  idleMs: 10_000,
  pauseMs: 500,
};

/** The message is the end of a sentence for staff: 'the server said 404'. */
export class DownloadFailed extends Error {
  /** Whether trying again later may help. */
  readonly mayPass: boolean;
  constructor(message: string, mayPass: boolean, options?: ErrorOptions) {
    super(message, options);
    this.mayPass = mayPass;
  }
}

const maxRedirects = 3;

/**
 * @returns the file, at most 10 MB; whether it is a picture is not checked
 * @throws DownloadFailed
 */
export async function downloadPhoto(link: string, web: Web = publicWeb): Promise<Buffer> {
  const signal = AbortSignal.timeout(web.overallMs);
  try {
    let url = requireHttps(link);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const answer = await ask(url, web, signal);
      if (Buffer.isBuffer(answer)) return answer;
      url = answer;
    }
  } catch (error) {
    throw signal.aborted ? new DownloadFailed(downloadMessages.tooSlow, true, { cause: error }) : asFailure(error);
  }
  throw new DownloadFailed(downloadMessages.tooManyRedirects, false);
}

/** `URL` reads unusual spellings of IPv4 addresses (decimal, octal, hexadecimal) as the addresses they stand for. */
function requireHttps(link: string, base?: string): URL {
  const url = URL.canParse(link, base) ? new URL(link, base) : undefined;
  if (url?.protocol !== 'https:') throw new DownloadFailed(downloadMessages.notHttps, false);
  if (url.username !== '' || url.password !== '') throw new DownloadFailed(downloadMessages.hasPassword, false);
  return url;
}

/** @returns the file, or where it was redirected to */
async function ask(url: URL, web: Web, signal: AbortSignal): Promise<Buffer | URL> {
  const addresses = await findAddresses(url.hostname, web, signal);
  const response = await send(url, addresses, web, signal);
  try {
    const { statusCode: status = 0, headers } = response;
    if ([301, 302, 303, 307, 308].includes(status) && headers.location !== undefined)
      return requireHttps(headers.location, url.href);
    if (status !== 200) throw new DownloadFailed(downloadMessages.status(status), status >= 500 || mayPass.has(status));
    return await readAll(response);
  } finally {
    response.destroy();
  }
}

/** Request timeout, too early, too many requests. */
const mayPass = new Set([408, 425, 429]);

async function findAddresses(hostname: string, web: Web, signal: AbortSignal): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(literal) ? [literal] : await web.resolve(hostname, signal);
  // a name that has a private address besides public ones is suspicious as a whole
  if (addresses.length === 0 || !addresses.every(web.isAllowed))
    throw new DownloadFailed(downloadMessages.notPublic, false);
  return addresses;
}

/** Connects to the given addresses only, in their order until one accepts. @returns the response, its body unread */
function send(url: URL, addresses: string[], { ca, idleMs }: Web, signal: AbortSignal): Promise<IncomingMessage> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: RequestOptions['lookup'] = (_name, options, done) =>
    options.all ? done(null, pinned) : done(null, pinned[0]?.address ?? '', pinned[0]?.family);
  return new Promise((resolve, reject) => {
    const call: ClientRequest = request(url, {
      lookup,
      signal,
      agent: false, // no connection of an earlier check
      headers: { accept: 'image/jpeg,image/png,image/webp,image/avif,image/gif', 'user-agent': 'shop-photo-import' },
      ...(ca !== undefined && { ca }),
    });
    let response: IncomingMessage | undefined;
    call.setTimeout(idleMs, () => (response ?? call).destroy(new DownloadFailed(downloadMessages.tooSlow, true)));
    call.on('response', (begun) => {
      response = begun;
      resolve(begun);
    });
    call.on('error', reject); // also after the response has ended
    call.end();
  });
}

/** Stops reading at the limit, whatever length the server claims. */
async function readAll(response: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => new DownloadFailed(downloadMessages.tooLarge, false);
  if (Number(response.headers['content-length']) > pictureLimits.bytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > pictureLimits.bytes) throw tooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, bytes);
}

function asFailure(error: unknown): DownloadFailed {
  if (error instanceof DownloadFailed) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'ENODATA') return new DownloadFailed(downloadMessages.unknownName, false);
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
  return new DownloadFailed(isCertificate ? downloadMessages.certificate : downloadMessages.lost, !isCertificate, {
    cause: error,
  });
}
