/** A version, as CHANGELOG.md describes it. */
export interface Release {
  version: string;
  /** '2026-11-30', or 'Unreleased'. */
  day: string;
  about: string;
  parts: { title: string; items: string[] }[];
}

/** Reads the format of Keep a Changelog: versions, kinds of changes, and one item per change, which may span lines. */
export function parseChangelog(text: string): Release[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((release) => {
      const [about = '', ...parts] = release.split(/^### /m);
      const [heading = '', ...sentences] = about.split('\n');
      const [version = '', day = ''] = heading.replaceAll(/[[\]]/g, '').split(' - ');
      return { version, day, about: inOneLine(sentences.join('\n')), parts: parts.map(partOf) };
    });
}

function partOf(part: string): Release['parts'][number] {
  const [title = '', ...items] = part.split(/(?<!\n)\n+(?:- |$)/);
  return { title, items: items.map(inOneLine).filter((item) => item !== '') };
}

const inOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
