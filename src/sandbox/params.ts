import { badParam, missingParam } from './apiError';
import type { Form } from './form';
import type { Metadata } from './records';

/**
 * Reads the parameters of one call. Each method reads one kind of value and throws an ApiError naming the parameter;
 * `refuseUnknown` then throws for the first parameter that was not read.
 */
export class Params {
  readonly #form: Form;
  readonly #prefix: string;
  readonly #read = new Set<string>();
  readonly #parts: Params[] = [];

  constructor(form: Form, prefix = '') {
    this.#form = form;
    this.#prefix = prefix;
  }

  /** The parameter's full name as on the wire, e.g. `line_items[0][quantity]`. */
  nameOf(name: string): string {
    return this.#prefix === '' ? name : `${this.#prefix}[${name}]`;
  }

  text(name: string, maxLength = 5000): string | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    const param = this.nameOf(name);
    if (typeof value !== 'string') throw badParam(param, 'Invalid string: a single value is expected.');
    if (value === '') {
      const message = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`;
      throw badParam(param, message, 'parameter_invalid_empty');
    }
    if (value.length > maxLength) {
      throw badParam(param, `Invalid string: ${value.slice(0, 10)}...; must be at most ${maxLength} characters`);
    }
    return value;
  }

  requireText(name: string, maxLength?: number): string {
    return this.text(name, maxLength) ?? this.#missing(name);
  }

  integer(name: string, range: { min?: number; max?: number } = {}): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const param = this.nameOf(name);
    const code = 'parameter_invalid_integer';
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value)) throw badParam(param, `Invalid integer: ${text}`, code);
    if (range.min !== undefined && value < range.min) {
      throw badParam(param, `This value must be greater than or equal to ${range.min}.`, code);
    }
    if (range.max !== undefined && value > range.max) {
      throw badParam(param, `This value must be less than or equal to ${range.max}.`, code);
    }
    return value;
  }

  requireInteger(name: string, range?: { min?: number; max?: number }): number {
    return this.integer(name, range) ?? this.#missing(name);
  }

  oneOf<V extends string>(name: string, values: readonly V[]): V | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = values.find((allowed) => allowed === text);
    if (value === undefined) throw badParam(this.nameOf(name), `Invalid ${name}: must be one of ${values.join(', ')}`);
    return value;
  }

  boolean(name: string): boolean | null {
    const value = this.oneOf(name, ['true', 'false']);
    return value === null ? null : value === 'true';
  }

  /** An absolute http(s) address. */
  url(name: string): string | null {
    const text = this.text(name);
    if (text !== null && !(/^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text))) {
      throw badParam(this.nameOf(name), 'Not a valid URL', 'url_invalid');
    }
    return text;
  }

  metadata(name: string): Metadata {
    const value = this.#value(name) ?? {};
    const param = this.nameOf(name);
    if (typeof value === 'string') throw badParam(param, 'Invalid object');
    const entries = Object.entries(value);
    if (entries.length > 50)
      throw badParam(param, `You can only have up to 50 metadata keys, but you passed in ${entries.length}.`);
    return Object.fromEntries(
      entries.map(([key, text]) => {
        const entry = `${param}[${key}]`;
        if (typeof text !== 'string') throw badParam(entry, 'Metadata values must be strings.');
        if (key.length > 40)
          throw badParam(
            entry,
            `Metadata keys can have up to 40 characters, but you passed in one that is ${key.length} characters.`,
          );
        if (text.length > 500)
          throw badParam(
            entry,
            `Metadata values can have up to 500 characters, but you passed in a value that is ${text.length} characters.`,
          );
        return [key, text];
      }),
    );
  }

  /** The parameters of an object; null when it was not sent. */
  object(name: string): Params | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (typeof value === 'string') throw badParam(this.nameOf(name), 'Invalid object');
    return this.#part(value, this.nameOf(name));
  }

  requireObject(name: string): Params {
    return this.object(name) ?? this.#missing(name);
  }

  /** The parameters of each object in a list; null when it was not sent. */
  list(name: string): Params[] | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    const param = this.nameOf(name);
    if (typeof value === 'string') throw badParam(param, 'Invalid array');
    return Object.entries(value).map(([index, item]) => {
      if (typeof item === 'string' || !/^\d+$/.test(index)) throw badParam(param, 'Invalid array');
      return this.#part(item, `${param}[${index}]`);
    });
  }

  texts(name: string): string[] {
    const value = this.#value(name) ?? {};
    const texts = typeof value === 'string' ? [value] : Object.values(value);
    return texts.map((text) => {
      if (typeof text !== 'string') throw badParam(this.nameOf(name), 'Invalid array');
      return text;
    });
  }

  /** Whether a parameter that may be a value or an object is an object. */
  isObject(name: string): boolean {
    return typeof this.#form[name] === 'object';
  }

  /** @throws ApiError parameter_unknown for the first parameter that was sent and never read */
  rejectUnknown(): void {
    const unread = Object.keys(this.#form).find((name) => !this.#read.has(name));
    if (unread !== undefined) {
      const param = this.nameOf(unread);
      throw badParam(param, `Received unknown parameter: ${param}`, 'parameter_unknown');
    }
    for (const part of this.#parts) part.rejectUnknown();
  }

  #value(name: string): string | Form | undefined {
    this.#read.add(name);
    return this.#form[name];
  }

  #part(form: Form, prefix: string): Params {
    const part = new Params(form, prefix);
    this.#parts.push(part);
    return part;
  }

  #missing(name: string): never {
    throw missingParam(this.nameOf(name));
  }
}
