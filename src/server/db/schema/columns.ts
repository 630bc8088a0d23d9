/** Column types shared by several tables. */
import { customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const lexemes = customType<{ data: string }>({ dataType: () => 'tsvector' });
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
