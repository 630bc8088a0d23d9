/** Results of a bench beside their targets. */
import { cpus } from 'node:os';

export type Aim = {
  what: string;
  figures: Record<string, string>;
  /** The measurement from before the target was set. */
  before?: string;
  goal: string;
  isMet: boolean;
};

/** @returns a table, in Markdown */
export function presentAims(rows: readonly Aim[]): string {
  const lines = rows.map(({ what, figures, before = '', goal, isMet }) => {
    const said = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
    return `| ${what} | ${before} | ${said.join(', ')} | ${goal} | ${isMet ? 'yes' : 'no'} |`;
  });
  const head = `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`;
  return [head, '', '|  | before | measured | aim | met |', '| --- | --- | --- | --- | --- |', ...lines].join('\n');
}
