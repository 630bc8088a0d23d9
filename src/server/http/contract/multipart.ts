import type { FastifyRequest } from 'fastify';
import { isStaff } from '../../../shared/auth';
import { concurrentUploads } from '../limits/limitTable';
import { invalid, Problem, unavailable } from '../core/problems';

export const maxFileBytes = 10 * 1024 * 1024;
const tooManyBytes = (limit: number) => `Files can be up to ${limit / 1024 / 1024} MB`;

/** The number of uploads in flight: for the process, for all customers, and for each customer. */
const uploadsInFlight = new Map<string, number>();

/**
 * Reads a multipart body as one object: text fields as strings (a repeated field as a list), a file as its bytes, or an
 * empty string if none was chosen. The contract then checks it like any other body.
 * @param jsonFields the fields that are one part of JSON
 * @param limit bytes of a file
 * @throws Problem 400 invalid_request when it cannot be read, 413 payload_too_large (also by @fastify/multipart's limits),
 *   503 while too many uploads are in flight, for the caller or in total
 */
export async function readMultipart(
  request: FastifyRequest,
  jsonFields: readonly string[] = [],
  limit = maxFileBytes,
): Promise<Record<string, unknown>> {
  if (!request.isMultipart()) throw invalid('The request must be multipart/form-data');
  try {
    return await readParts(request, jsonFields, limit);
  } catch (error) {
    // the parser's own errors (missing end, truncated part) have no status
    throw error instanceof Error && 'statusCode' in error ? error : asError(error);
  }
}

const asError = (error: unknown) => (error instanceof Problem ? error : invalid("We couldn't read the form"));

async function readParts(
  request: FastifyRequest,
  jsonFields: readonly string[],
  limit: number,
): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  for await (const part of request.parts({ limits: { fileSize: limit } })) {
    if (part.type === 'field' && (part.fieldnameTruncated || part.valueTruncated))
      throw new Problem(413, 'payload_too_large', 'A form field is too long');
    const value: unknown =
      part.type === 'file' ? chosen(part, await readFile(request, part.toBuffer.bind(part), limit)) : part.value;
    if (part.type === 'field' && jsonFields.includes(part.fieldname)) {
      fields.set(part.fieldname, parseJson(part.fieldname, String(value)));
      continue;
    }
    const before = fields.get(part.fieldname);
    fields.set(part.fieldname, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

function parseJson(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = 'This must be JSON';
    throw invalid(message, [{ field, message }]);
  }
}

async function readFile(request: FastifyRequest, read: () => Promise<Buffer>, limit: number): Promise<Buffer> {
  const leave = takePlace(request);
  try {
    return await read();
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE';
    throw isTooLarge
      ? new Problem(413, 'payload_too_large', tooManyBytes(limit), {
          errors: [{ field: 'file', message: tooManyBytes(limit) }],
        })
      : error;
  } finally {
    leave();
  }
}

/**
 * Reserves an upload slot, so that slow senders cannot take all of them.
 * @returns a function that releases the slot
 * @throws Problem 503
 */
function takePlace({ session }: FastifyRequest): () => void {
  const { ofProcess, ofCustomers, ofCustomer } = concurrentUploads;
  const limits = new Map([['process', ofProcess]]);
  if (!session || !isStaff(session.role))
    limits.set('customers', ofCustomers).set(`customer ${session?.userId}`, ofCustomer);
  const count = (key: string) => uploadsInFlight.get(key) ?? 0;
  if ([...limits].some(([key, most]) => count(key) >= most)) throw unavailable();
  for (const key of limits.keys()) uploadsInFlight.set(key, count(key) + 1);
  return () => {
    for (const key of limits.keys()) {
      if (count(key) > 1) uploadsInFlight.set(key, count(key) - 1);
      else uploadsInFlight.delete(key);
    }
  };
}

/** If no file was chosen, a browser sends an empty part without a file name. A named part is a file even if empty. */
const chosen = ({ filename }: { filename?: string }, file: Buffer) => (filename || file.length > 0 ? file : '');

/** Whether a form field that may hold a file was filled in. */
export const isSent = (file: unknown): boolean => file !== undefined && file !== '';
