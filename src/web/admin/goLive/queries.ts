import { answer, api } from '../../server/client';
import { staffQuery } from '../staffCalls';

/** The steps before the first sale. */
export const goLiveQuery = () =>
  staffQuery(['goLive'], async (signal) => (await answer(api.GET('/admin/go-live', { signal }))).steps);
