/** One success and every error of imports of products, for the contract test. */
import { randomUUID } from 'node:crypto';
import type { Scenarios } from './accountScenarios';
import { asFile, form } from './catalogScenarios';
import type { TestShop } from './shop';

export function importScenarios(open: () => TestShop): Scenarios {
  const admin = () => open().signIn({ role: 'ROLE_ADMIN' });
  const start = async (csv: string, mapping?: string) =>
    open().call('startImport', {
      as: await admin(),
      ...(await form({ file: asFile(csv), ...(mapping !== undefined && { mapping }) })),
    });
  const previewed = async (price = '4.35') => {
    const csv = `name,description,price,quantity,category\nCumin ${randomUUID()},Whole,${price},5,savory\n`;
    return { id: (await start(csv)).data.import.id };
  };
  const run = async (path: { id: string }, body: object = {}) =>
    open().call('runImport', { as: await admin(), path, body });
  const undo = async (path: { id: string }) => open().call('undoImport', { as: await admin(), path, body: {} });
  const none = () => ({ id: randomUUID() });

  return {
    listImports: {
      success: async () => {
        await previewed();
        return open().call('listImports', { as: await admin() });
      },
    },
    startImport: {
      success: () => start('name,price\nCumin,4.35\n'),
      invalid_csv: () => start('name,price\n'),
      invalid_mapping: () => start('Item,Cost\nCumin,4.35\n', '{"Item":"nothing"}'),
    },
    getImport: {
      success: async () => open().call('getImport', { as: await admin(), path: await previewed() }),
      import_not_found: async () => open().call('getImport', { as: await admin(), path: none() }),
    },
    listImportRows: {
      success: async () => open().call('listImportRows', { as: await admin(), path: await previewed() }),
      import_not_found: async () => open().call('listImportRows', { as: await admin(), path: none() }),
    },
    runImport: {
      success: async () => run(await previewed()),
      import_not_found: () => run(none()),
      import_refused: async () => run(await previewed('four')),
      import_started: async () => {
        const path = await previewed();
        await run(path);
        return run(path);
      },
    },
    undoImport: {
      success: async () => {
        const path = await previewed();
        await run(path);
        await open().jobs.runImports();
        return undo(path);
      },
      import_not_found: () => undo(none()),
      import_not_undoable: async () => undo(await previewed()),
    },
  };
}
