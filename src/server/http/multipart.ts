import type { FastifyRequest } from 'fastify';
import { invalid } from './problems';

/**
 * A multipart body as one object: text fields as strings (a repeated one as a list), a file as its bytes. The contract
 * then checks it like any other body.
 * @throws Problem 400 invalid_request when it cannot be read; 413 by @fastify/multipart's limits
 */
export async function readMultipart(request: FastifyRequest): Promise<Record<string, unknown>> {
  if (!request.isMultipart()) throw invalid('The request must be multipart/form-data');
  const fields = new Map<string, unknown>();
  for await (const part of request.parts()) {
    const value: unknown = part.type === 'file' ? await part.toBuffer() : part.value;
    const before = fields.get(part.fieldname);
    fields.set(part.fieldname, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}
