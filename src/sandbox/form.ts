import { ApiError } from './apiError';

/** A decoded form: `a[b]=1` is { a: { b: '1' } }, and lists are objects with numbers as names. */
export type Form = { [name: string]: string | Form };

const maxPairs = 5000;
const maxDepth = 6;

/**
 * Reads form-encoded text (a body or a query) with bracketed names.
 * @throws ApiError 400 for malformed text
 */
export function decodeForm(text: string): Form {
  const form = emptyForm();
  const pairs = text.split('&').filter(Boolean);
  if (pairs.length > maxPairs) throw new ApiError(400, 'The request has too many parameters.');
  for (const pair of pairs) {
    const cut = pair.indexOf('=');
    const name = decode(cut === -1 ? pair : pair.slice(0, cut));
    insert(form, namePath(name), cut === -1 ? '' : decode(pair.slice(cut + 1)), name);
  }
  return form;
}

function namePath(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  const path = match ? [match[1]!, ...(match[2] ?? '').slice(1, -1).split('][')] : [];
  if (match?.[2] === '') path.length = 1;
  if (path.length === 0 || path.length > maxDepth) throw new ApiError(400, `Invalid parameter name: ${name}`);
  return path;
}

function insert(form: Form, path: string[], value: string, name: string): void {
  let target = form;
  for (const [depth, part] of path.entries()) {
    const key = part === '' ? String(Object.keys(target).length) : part;
    const present = target[key];
    if (depth === path.length - 1) {
      if (typeof present === 'object') throw mixed(name);
      target[key] = value;
      return;
    }
    if (typeof present === 'string') throw mixed(name);
    target = present ?? (target[key] = emptyForm());
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError(400, 'The request holds text that is not valid UTF-8 in percent encoding.');
  }
}

/** An object without a prototype, since a parameter may be called `__proto__`. */
const emptyForm = (): Form => Object.create(null) as Form;
const mixed = (name: string) => new ApiError(400, `The parameter ${name} is both a value and an object.`);
