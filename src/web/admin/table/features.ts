import {
  createColumnHelper,
  type RowData,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';

export interface ColumnMeta {
  /** Figures stand at the right. */
  isFigure?: true;
  /** In a list on a phone: the line of its own on top, or beside its word, or not at all. */
  onPhone?: 'title' | 'named' | 'hidden';
  /** Less important than the others. */
  isMuted?: true;
  /** Capitalised where it is drawn; 'savory' stays lower case in the text. */
  isCapitalised?: true;
}

const columnMeta: ColumnMeta = {}; // only its type counts

/** What all tables of the back office can do. The server sorts, filters and cuts into pages; the table only asks. */
export const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  columnMeta,
});

/** Columns of rows of one kind. A column's id is the name by which the server sorts; `enableSorting` is off for the rest. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<typeof features, Row>();
