import type { FastifyRequest } from 'fastify';
import { readDeviceCookie } from './sessions/cookies';
import { describeDevice } from './sessions/device';
import type { Caller } from './service';

export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  device: describeDevice(request.headers['user-agent']),
  deviceCookie: readDeviceCookie(request),
  log: request.log,
});
