import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { importCallMessages as calls } from '../../../shared/imports';
import { csvOf } from '../../../shared/csvOf';
import { importPageMessages } from '../../../shared/importsStaff';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { type ErrorCode, sentenceOf } from '../../server/errors';
import { withProgress } from '../products/upload';
import { asForm, staffListQuery, staffQuery, useStaffChange } from '../staffCalls';

export type Import = Schema<'Import'>;
export type ImportPhotos = Schema<'ImportPhotos'>;
export type ImportRow = Schema<'ImportRow'>;
export type ImportAction = Schema<'ImportAction'>;

/** How often the progress is read while a job works, and while photos are loaded. A hidden tab does not ask. */
const checkMs = 1500;
const photosCheckMs = 4000;

/** Whether a job works on the import. */
export const isWorking = ({ state }: Import): boolean => state === 'running' || state === 'undoing';

export const importQuery = (id: string) =>
  queryOptions({
    ...staffQuery(['import', id], async (signal) => {
      const call = api.GET('/admin/imports/{id}', { params: { path: { id } }, signal });
      return (await answer(call)).import;
    }),
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false;
      if (isWorking(data)) return checkMs;
      return data.photos && data.photos.waiting > 0 ? photosCheckMs : false;
    },
  });

const recentImports = 10;

export const importsQuery = () =>
  staffQuery(['imports'], async (signal) => {
    const call = api.GET('/admin/imports', { params: { query: { size: recentImports } }, signal });
    return (await answer(call)).imports;
  });

export const rowsPerPage = 25;

/** @param page from 1 */
export const rowsQuery = ({ id, state }: Import, action: ImportAction, page: number) =>
  staffListQuery(['import', id, 'rows', state, action, page], async (signal) => {
    const query = { action, page: page - 1, size: rowsPerPage };
    return (await answer(api.GET('/admin/imports/{id}/rows', { params: { path: { id }, query }, signal }))).rows;
  });

/** @returns the errors of all rows as CSV, one line each */
export async function readWrongRows(id: string): Promise<string> {
  const lines = [['line', 'product', 'column', 'cell', 'error']];
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const query = { action: 'wrong', page, size: 100 } as const;
    const { rows } = await answer(api.GET('/admin/imports/{id}/rows', { params: { path: { id }, query } }));
    pages = rows.totalPages;
    for (const { line, name, problems } of rows.content)
      for (const { column, cell = '', message } of problems) lines.push([String(line), name, column, cell, message]);
  }
  return csvOf(lines);
}

export interface Upload {
  file: File;
  /** The field of each column by its name; empty: left out. */
  mapping?: Readonly<Record<string, string>>;
}

/** The page shows each failed upload itself. */
const shownOnPage: readonly ErrorCode[] = [
  'invalid_csv',
  'invalid_mapping',
  'payload_too_large',
  'no_connection',
  'unknown',
  'internal',
  'invalid_request',
  'too_many_requests',
  'unavailable',
];

/** Uploads a file for its preview. */
export function useStartImport(onStarted: (started: Import, upload: Upload) => void) {
  const [sent, setSent] = useState<number>();
  const { mutate, isPending, error, variables, reset } = useStaffChange({
    send: async ({ file, mapping }: Upload, { header }) => {
      setSent(0);
      const fields = { file, fileName: file.name.slice(-200), ...(mapping && { mapping: JSON.stringify(mapping) }) };
      const form = asForm(fields);
      const call = api.POST('/admin/imports', {
        params: { header },
        body: { ...fields, file: file.name },
        bodySerializer: () => form,
        fetch: withProgress(form, setSent),
      });
      return (await answer(call)).import;
    },
    onSuccess: onStarted,
    meta: { failure: calls.startImport.failure, shownOnPage },
  });
  return {
    start: mutate,
    isPending,
    /** 0 to 1; the server checks the rows once all is sent. */
    sent: isPending ? (sent ?? 0) : undefined,
    problem: error ? { error, sentence: sentenceOf(error, importPageMessages.lost) } : undefined,
    /** The upload that failed. */
    failed: error ? variables : undefined,
    reset,
  };
}

export const useRunImport = () =>
  useStaffChange({
    send: async ({ id, onlyRight }: { id: string; onlyRight: boolean }, { header }) =>
      (await answer(api.POST('/admin/imports/{id}/run', { params: { path: { id }, header }, body: { onlyRight } })))
        .import,
    meta: { failure: calls.runImport.failure },
  });

export const useUndoImport = () =>
  useStaffChange({
    send: async (id: string, { header }) =>
      (await answer(api.POST('/admin/imports/{id}/undo', { params: { path: { id }, header }, body: {} }))).import,
    meta: { failure: calls.undoImport.failure },
  });
