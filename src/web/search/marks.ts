import { fold, readSearch, wordsOf } from '../../shared/search';
import { isForgivenInText } from '../../shared/typos';
import { distance } from './distance';

/** A piece of a text; `isHit` is underlined. */
interface Piece {
  text: string;
  isHit: boolean;
}

/** @returns the text in as few pieces as possible: matches, including ones with a typing mistake, and the text between them */
export function markHits(text: string, typed: string): Piece[] {
  const wanted = wordsOf(readSearch(typed).rest);
  const pieces: Piece[] = [];
  for (const part of text.split(word)) {
    const length = hitLength(part, wanted);
    if (length > 0) pieces.push({ text: part.slice(0, length), isHit: true });
    const rest = part.slice(length);
    const last = pieces.at(-1);
    if (last && !last.isHit) last.text += rest;
    else if (rest !== '') pieces.push({ text: rest, isHit: false });
  }
  return pieces;
}

/** @returns whether one of the typed words is in the text */
export const hasHit = (text: string, typed: string): boolean => markHits(text, typed).some(({ isHit }) => isHit);

/** @returns the words around the first match; undefined if there is none */
export function excerpt(text: string, typed: string): string | undefined {
  const wanted = wordsOf(readSearch(typed).rest);
  const words = text.split(/\s+/);
  const hit = words.findIndex((each) =>
    each.split(word).some(
      (part) =>
        hitLength(
          part,
          wanted.filter((one) => isMatch(one, part)),
        ) > 0,
    ),
  );
  if (hit < 0) return undefined;
  const ending = /[.,;:]$/;
  return words
    .slice(Math.max(0, hit - wordsBefore), hit + wordsAfter + 1)
    .join(' ')
    .replace(ending, '');
}

/** Fewer mistakes are accepted in a description than in a name. */
const isMatch = (typed: string, part: string) =>
  distance(typed, fold(part)) <= 1 || isForgivenInText(typed, fold(part));

const wordsBefore = 3;
const wordsAfter = 2;
const word = /([\p{L}\p{N}\p{M}’'ʼ]+)/u;

/** @returns how many letters of a word are underlined: the typed ones, or all if the match has a mistake */
function hitLength(part: string, wanted: readonly string[]): number {
  const folded = fold(part);
  if (!/[\p{L}\p{N}]/u.test(folded)) return 0;
  const lengths = wanted.map((typed) => {
    const far = distance(typed, folded);
    if (far === Infinity) return 0;
    return far === 1 && folded.length === part.length ? typed.length : part.length;
  });
  return Math.max(0, ...lengths);
}
