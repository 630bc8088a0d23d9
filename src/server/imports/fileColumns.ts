import type { Schema } from '../../shared/contract';

export type Source = Schema<'Import'>['source'];
/** The columns of a file in their order, each with its field; null: left out. */
export type FileColumns = { name: string; field: string | null }[];
/** The field of each column, by the column's name. An empty text leaves the column out. */
export type Mapping = Readonly<Record<string, string>>;
