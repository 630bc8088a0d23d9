import type { FastifyBaseLogger } from 'fastify';
import { healthMessages as messages, type Finding, type HealthCheck } from '../../shared/health';
import { describeFailure } from '../db/core/loggedErrors';
import type { ContractApi } from '../http/contract/contract';
import { checks, type HealthParts } from './checks';

export function healthRoutes(api: ContractApi, parts: HealthParts & { logger: FastifyBaseLogger }): void {
  api.on('getHealthReport', async ({ db, now }) => {
    const health: HealthCheck[] = [];
    for (const [check, find] of Object.entries(checks) as [HealthCheck['check'], (typeof checks)['disk']][])
      health.push(
        present(
          check,
          await find({ ...parts, db, now }).catch((error: unknown) => {
            parts.logger.warn({ check, failure: describeFailure(error) }, 'a health check failed');
            return messages.notKnown;
          }),
        ),
      );
    return { message: messages.getHealthReport.success, data: { health, checkedAt: now.toISOString() } };
  });
}

const present = (check: HealthCheck['check'], { sentence, todo, href }: Finding): HealthCheck => ({
  check,
  state: todo === undefined ? 'ok' : 'attention',
  sentence,
  todo: todo ?? null,
  ...(href !== undefined && { href }),
});
