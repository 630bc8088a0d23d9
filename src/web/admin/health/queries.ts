import { answer, api } from '../../server/client';
import { staffQuery } from '../staffCalls';

export const healthQuery = () => staffQuery(['health'], (signal) => answer(api.GET('/admin/health', { signal })));
