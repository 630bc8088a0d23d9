import '@github/markdown-toolbar-element';
import { createElement, type ComponentProps, useId } from 'react';
import { blanksIn, pageStaffMessages as messages } from '../../../shared/pagesStaff';
import { Button } from '../../ui/Button';
import { TextAreaField } from '../../ui/FormField';
import { AdminIcon, type AdminIconName } from '../ui/AdminIcon';
import box from '../ui/box.module.css';
import styles from './PageForm.module.css';

interface Props {
  markdown: string;
  field: Omit<ComponentProps<typeof TextAreaField>, 'label'>;
}

/** A text with formatting buttons. While blanks are left, a button leads from one to the next. */
export function MarkdownField({ markdown, field }: Props) {
  const id = useId();
  const blanks = blanksIn(markdown);
  return (
    <div className={box['box']}>
      <header>
        <h2>Text</h2>
        <span className="muted">Markdown</span>
      </header>
      <div className={styles['tools']}>
        <Toolbar of={id} />
        {blanks.length > 0 && (
          <p>
            {messages.blanksLeft(blanks.length)}
            <Button variant="outline" onClick={() => selectBlank(document.getElementById(id), blanks)}>
              Next blank
            </Button>
          </p>
        )}
      </div>
      <div className={styles['text']}>
        <TextAreaField label="Text" id={id} rows={20} spellCheck {...field} />
      </div>
    </div>
  );
}

const tools: readonly { name: string; label: string; icon: AdminIconName }[] = [
  { name: 'header-2', label: 'Heading', icon: 'heading' },
  { name: 'bold', label: 'Bold', icon: 'bold' },
  { name: 'italic', label: 'Italic', icon: 'italic' },
  { name: 'link', label: 'Link', icon: 'link' },
  { name: 'unordered-list', label: 'List', icon: 'list' },
];

/** The library's element moves the focus by arrow keys and edits the text so that the browser can undo it. */
const Toolbar = ({ of }: { of: string }) =>
  createElement(
    'markdown-toolbar',
    { for: of, 'aria-label': 'Formatting', class: styles['toolbar'] },
    tools.map(({ name, label, icon }) => (
      <button key={name} type="button" data-md-button={name} aria-label={label} tabIndex={-1}>
        <AdminIcon name={icon} />
      </button>
    )),
  );

/** Selects the next blank after the caret, or the first one, so that typing replaces it. */
function selectBlank(area: HTMLElement | null, blanks: readonly string[]): void {
  if (!(area instanceof HTMLTextAreaElement)) return;
  const places = blanks.flatMap((blank) => placesOf(area.value, blank)).toSorted(([a], [b]) => a - b);
  const [start, end] = places.find(([place]) => place >= area.selectionEnd) ?? places[0] ?? [0, 0];
  area.blur(); // a browser scrolls to the selection of a field that gets the focus
  area.setSelectionRange(start, end);
  area.focus();
}

function placesOf(text: string, blank: string): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (let start = text.indexOf(blank); start !== -1; start = text.indexOf(blank, start + 1))
    places.push([start, start + blank.length]);
  return places;
}
