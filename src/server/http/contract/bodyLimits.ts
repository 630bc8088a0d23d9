/**
 * Limits the size and depth of a body before it is parsed, so that absurd bodies do not cost processing time. Rule: docs/rules/wire.md, Bodies
 */
import type { Bound } from './operations';

/** A text that is slightly too long should get its field's error, so only the contract may set a smaller limit. */
const smallestLimit = 16 * 1024;
export const largestLimit = 1024 * 1024;
/** JSON may escape a character as a backslash, a u and four digits. */
const bytesOfCharacter = 6;
const bytesOfOther = 64; // a number, a date, an id, an enum value
const bytesOfName = 40; // of a field, with quotes, colon and surrounding whitespace

type Schema = {
  type?: string | readonly string[];
  maxLength?: number;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: boolean;
};

/** @returns bytes: the contract's `x-body-limit`, or the longest possible encoding of the schema's largest body */
export function bodyLimitOf({ operation }: Bound): number {
  if (operation['x-body-limit'] !== undefined) return operation['x-body-limit'];
  const schema: Schema | undefined = operation.requestBody?.content?.['application/json']?.schema;
  const longest = schema ? bytesOf(schema) : 0;
  return Math.min(largestLimit, Math.max(smallestLimit, longest));
}

function bytesOf(schema: Schema): number {
  const { oneOf, allOf, properties, items, maxItems, maxLength, additionalProperties } = schema;
  if (oneOf) return Math.max(...oneOf.map(bytesOf));
  if (allOf) return Math.max(...allOf.map(bytesOf));
  if (items) return (maxItems ?? 1_000) * (bytesOf(items) + 1);
  if (additionalProperties === true) return largestLimit; // the payment provider's events have no fixed size
  if (properties) return Object.values(properties).reduce((sum, each) => sum + bytesOfName + bytesOf(each), 0);
  return maxLength === undefined ? bytesOfOther : maxLength * bytesOfCharacter;
}

/** No body in the contract nests deeper than five levels. */
export const deepestNesting = 20;

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]); // [ {
const closing = new Set([0x5d, 0x7d]); // ] }

/** Whether brackets nest deeper than `deepestNesting`, counted on the bytes. Brackets inside strings do not count. */
export function nestsTooDeep(json: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (opening.has(byte)) {
      depth += 1;
      if (depth > deepestNesting) return true;
    } else if (closing.has(byte)) depth -= 1;
  }
  return false;
}
