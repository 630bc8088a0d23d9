/**
 * The part of S3 that the shop uses, in memory, with faults that tests inject. Checks only the form of a signature;
 * `npm run chaos -- s3` shows that the shop works with real storage.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Config } from '../../src/server/core/config';

type Fault = 'reset' | { status: number; code: string };
type Stored = { bytes: Buffer; type: string; changedAt: Date };
type Call = { method: string; key: string; query: string };
export type TestS3 = Awaited<ReturnType<typeof startS3>>;

const signature =
  /^AWS4-HMAC-SHA256 Credential=test-key\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[\da-f]{64}$/;

/** @param pageSize objects per listing page, so that few objects make several pages */
export async function startS3({ pageSize = 3 } = {}) {
  const objects = new Map<string, Stored>();
  const calls: Call[] = [];
  let faults: { fault: Fault; left: number; methods: string[]; keys: RegExp } | undefined;

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const config: S3Config = {
    bucketUrl: `http://127.0.0.1:${port}/bucket`,
    folder: 'test/',
    region: 'us-east-1',
    accessKeyId: 'test-key',
    secretAccessKey: 'the-secret-of-the-tests',
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '', config.bucketUrl);
    const [, bucket, key = ''] = /^\/([^/]+)(?:\/(.*))?$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const body = await buffer(request);
    calls.push({ method, key, query: url.search });
    if (faults?.methods.includes(method) && faults.keys.test(key) && faults.left-- > 0) {
      const { fault } = faults;
      if (fault === 'reset') return void request.socket.destroy();
      return refuse(response, fault.status, fault.code);
    }
    if (!signature.test(headers.authorization ?? '') || !/^\d{8}T\d{6}Z$/.test(String(headers['x-amz-date'])))
      return refuse(response, 403, 'SignatureDoesNotMatch');
    if (bucket !== 'bucket') return refuse(response, 404, 'NoSuchBucket');
    if (method === 'GET' && key === '') return list(response, url.searchParams);
    if (method === 'PUT') {
      objects.set(key, { bytes: body, type: String(headers['content-type']), changedAt: new Date() });
      return void response.writeHead(200).end();
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const found = objects.get(key);
    if (!found) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-type': found.type, 'content-length': found.bytes.length }).end(found.bytes);
  }

  function list(response: ServerResponse, asked: URLSearchParams): void {
    const after = asked.get('continuation-token') ?? '';
    const wanted = [...objects].filter(([key]) => key.startsWith(asked.get('prefix') ?? '') && key > after);
    const found = wanted.toSorted(([one], [other]) => (one < other ? -1 : 1));
    const page = found.slice(0, Math.min(pageSize, Number(asked.get('max-keys'))));
    const isTruncated = page.length < found.length;
    const contents = page.map(
      ([key, { bytes, changedAt }]) =>
        `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${changedAt.toISOString()}</LastModified></Contents>`,
    );
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
    sendXml(
      response,
      200,
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
    );
  }

  return {
    config,
    objects,
    calls,
    /** The names of the objects in a folder of the bucket. */
    namesIn: (folder: 'pictures' | 'uploads' | 'portraits') =>
      [...objects.keys()].filter((key) => key.startsWith(`test/${folder}/`)).map((key) => key.slice(6 + folder.length)),
    /** Makes the next `left` calls of these methods for these keys fail; other calls work. */
    fail(fault: Fault, left = Infinity, methods = ['GET', 'HEAD', 'PUT', 'DELETE'], keys = /^/) {
      faults = { fault, left, methods, keys };
    },
    heal() {
      faults = undefined;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  sendXml(response, status, `<Error><Code>${code}</Code><AWSAccessKeyId>test-key</AWSAccessKeyId></Error>`);

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}
