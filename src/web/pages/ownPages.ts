/** One chunk with the page and its query, as each name of a chunk is part of the first load. */
export { OwnPage } from './OwnPage';
export { pageQuery } from './queries';
