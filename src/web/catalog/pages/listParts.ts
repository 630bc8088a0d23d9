/** Parts of a list that few visits need, in one chunk. */
export { EmptyList } from './EmptyList';
export { Filters } from './Filters';
