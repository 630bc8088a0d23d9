/**
 * How large and how deep a body may be, before anything of it is parsed: one that nobody could mean costs the others
 * their time. Rule: docs/rules/wire.md, Bodies
 */
import type { Bound } from './operations';

/** A text that is somewhat too long is to be refused by its field, so no limit is smaller but where the contract says it. */
const smallestLimit = 16 * 1024;
export const largestLimit = 1024 * 1024;
/** JSON may write a character as an escape: a backslash, a u and four digits. */
const bytesOfCharacter = 6;
const bytesOfOther = 64; // a number, a date, an id, a word of a list
const bytesOfName = 40; // of a field, with its quotes, its colon and the blanks around

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

/** @returns bytes: the contract's `x-body-limit`, else what the longest body of the schema has, however it is written */
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
  if (additionalProperties === true) return largestLimit; // what the payment provider tells is not ours to measure
  if (properties) return Object.values(properties).reduce((sum, each) => sum + bytesOfName + bytesOf(each), 0);
  return maxLength === undefined ? bytesOfOther : maxLength * bytesOfCharacter;
}

/** No body of the contract nests deeper than five. */
export const deepestNesting = 20;

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]); // [ {
const closing = new Set([0x5d, 0x7d]); // ] }

/** Whether brackets nest deeper than `deepestNesting`, counted on the bytes: those within texts do not count. */
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
