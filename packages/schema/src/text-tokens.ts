const WORD = /[\w.+-]+/y;
const WHITE_SPACE = /\s/;
const BRACKETS: ReadonlyMap<string, 1 | -1> = new Map([
  ["{", 1],
  ["<", 1],
  ["[", 1],
  ["}", -1],
  [">", -1],
  ["]", -1],
]);

/** Tokens of a text: each a word, a string (also when its line ends before it does), or one character. */
export interface TextTokens {
  readonly text: string;
  /** Where each token begins and ends, in code units of the text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Index of the first string that breaks off; infinite without one. */
  readonly firstOpenString: number;
}

/** By hand: a regular expression that goes back and forth in a string of megabytes exhausts the runtime's stack. */
export function tokenize(text: string): TextTokens {
  const starts: number[] = [];
  const ends: number[] = [];
  let firstOpenString = Number.POSITIVE_INFINITY;
  for (let start = 0; start < text.length; ) {
    const character = text.charAt(start);
    if (character === "#") {
      const lineEnd = text.indexOf("\n", start);
      start = lineEnd < 0 ? text.length : lineEnd;
    } else if (WHITE_SPACE.test(character)) {
      start++;
    } else {
      const end = endOfToken(text, start, character);
      if (end < 0) firstOpenString = Math.min(firstOpenString, starts.length);
      starts.push(start);
      start = Math.abs(end);
      ends.push(start);
    }
  }
  return { text, starts, ends, firstOpenString };
}

/** The text of the tokens `from` to `to`, exclusive, and of what lies between them. */
export function textOf({ text, starts, ends }: TextTokens, from: number, to: number): string {
  return text.slice(starts[from], ends[to - 1]);
}

/**
 * Indices of the tokens that begin an entry, such as `name: "x"` or `feature { … }`, and lie in no bracket that opens at
 * `from` or later. `from` itself is always the first.
 */
export function entryStarts(tokens: TextTokens, from: number, to: number): number[] {
  const { text, starts } = tokens;
  const found = [from];
  let depth = 0;
  let previous = "";
  for (let index = from; index < to; index++) {
    const character = text.charAt(starts[index]!);
    if (depth === 0 && index > from && previous !== ":") {
      const next = text.charAt(starts[index + 1] ?? text.length);
      const isName = !BRACKETS.has(character) && (next === ":" || next === "{" || next === "<");
      // A name of an extension, or of the type in an Any, is in brackets.
      if (isName || character === "[") found.push(index);
    }
    depth += BRACKETS.get(character) ?? 0;
    previous = character;
  }
  return found;
}

/** Index of the innermost bracket that is still open at the end. */
export function innermostOpenBracket({ text, starts }: TextTokens): number | undefined {
  const open: number[] = [];
  for (const [index, start] of starts.entries()) {
    const change = BRACKETS.get(text.charAt(start));
    if (change === 1) open.push(index);
    else if (change === -1) open.pop();
  }
  return open.at(-1);
}

/** Where the token at `start` ends; negative for a string that breaks off. */
function endOfToken(text: string, start: number, character: string): number {
  if (character === '"' || character === "'") return endOfString(text, start + 1, character);
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : start + String.fromCodePoint(text.codePointAt(start)!).length;
}

/** Where a string ends, behind its quote; negative where the line or the text ends first. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote) return at + 1;
    if (character === "\n") return -at;
    if (character === "\\") at++;
  }
  return -text.length;
}
