import type { Schema } from '../../shared/contract';
import { importCallMessages as messages } from '../../shared/imports';
import type { Connection } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import { previewImport } from './preview';
import type { ListedImport, StoredRow } from './repository';
import {
  listImportRows,
  listImports,
  readImport,
  runImport,
  undoableUntil,
  undoImport,
  type ReadImport,
} from './service';

export function importRoutes(api: ContractApi): void {
  api.on('listImports', async ({ db, query: { page = 0, size = 10 }, now }) => {
    const { rows, totalElements } = await listImports(db, { page, size });
    const content = rows.map((row) => presentImport({ ...row, problems: [], kept: [] }, now));
    return {
      message: messages.listImports.success,
      data: { imports: presentPage(content, totalElements, { page, size }) },
    };
  });
  api.on('startImport', async ({ tx, body: { file, fileName, mapping }, session, now }) => {
    const id = await previewImport(tx, { file, fileName, mapping }, session.userId, now);
    return answer(messages.startImport.success, tx, id, now);
  });
  api.on('getImport', async ({ db, params: { id }, now }) => answer(messages.getImport.success, db, id, now));
  api.on('listImportRows', async ({ db, params: { id }, query: { action, page = 0, size = 10 } }) => {
    const { rows, totalElements } = await listImportRows(db, id, action, { page, size });
    const found = presentPage(rows.map(presentRow), totalElements, { page, size });
    return { message: messages.listImportRows.success, data: { rows: found } };
  });
  api.on('runImport', async ({ tx, params: { id }, body, session, now }) => {
    await runImport(tx, id, body ?? {}, session.userId, now);
    return answer(messages.runImport.success, tx, id, now);
  });
  api.on('undoImport', async ({ tx, params: { id }, session, now }) => {
    await undoImport(tx, id, session.userId, now);
    return answer(messages.undoImport.success, tx, id, now);
  });
}

const answer = async (message: string, connection: Connection, id: string, now: Date) => ({
  message,
  data: { import: presentImport(await readImport(connection, id), now) },
});

function presentImport(found: ReadImport & ListedImport, now: Date): Schema<'Import'> {
  const { id, state, source, fileName, columns, counts, problems, newCategories, kept } = found;
  const until = undoableUntil(found);
  return {
    id,
    state,
    source,
    fileName,
    columns,
    rows: counts,
    problems,
    newCategories,
    progress: { done: found.doneRows, of: found.ofRows },
    kept,
    createdAt: found.createdAt.toISOString(),
    createdBy: found.createdByName,
    finishedAt: found.finishedAt?.toISOString() ?? null,
    undoableUntil: until && until > now ? until.toISOString() : null,
    ...(found.photos && { photos: found.photos }),
  };
}

const presentRow = (row: StoredRow): Schema<'ImportRow'> => ({
  line: row.line,
  productId: row.productId,
  name: row.name,
  unitSize: row.unitSize,
  action: row.action,
  state: row.state,
  changes: row.changes,
  problems: row.problems,
  notes: row.notes,
  photos: row.extras.newPhotos ?? 0,
});
