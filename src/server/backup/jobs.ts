/**
 * Backs up the job queue by what each job asks for, and restores it through the queue's own function, so that a backup
 * does not depend on the queue's table layout. Permanently failed jobs are left out.
 */
import type { ClientBase } from 'pg';
import { hasTable } from './tables';

export type Job = {
  task: string;
  payload: unknown;
  runAt: string;
  maxAttempts: number;
  key: string | null;
  priority: number;
};

export async function readJobs(client: ClientBase): Promise<Job[]> {
  if (!(await hasTable(client, 'graphile_worker._private_jobs'))) return [];
  const { rows } = await client.query<Job>(
    `select identifier as task, payload, run_at as "runAt", max_attempts - attempts as "maxAttempts", key, priority
     from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
     where attempts < max_attempts order by jobs.id`,
  );
  return rows;
}

export async function addJobs(client: ClientBase, jobs: readonly Job[]): Promise<void> {
  for (const { task, payload, runAt, maxAttempts, key, priority } of jobs)
    await client.query(
      `select graphile_worker.add_job($1, $2::json, run_at := $3, max_attempts := $4, job_key := $5, priority := $6)`,
      [task, JSON.stringify(payload), runAt, maxAttempts, key, priority],
    );
}
