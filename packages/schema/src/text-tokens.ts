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

/** Tokens of a text: each a word, a string (even an unterminated one), or a single character. */
export interface TextTokens {
  readonly text: string;
  /** Start of each token, in UTF-16 code units of the text. */
  readonly starts: readonly number[];
  /** End of each token, exclusive. */
  readonly ends: readonly number[];
  /** Index of the first unterminated string; Infinity if all are terminated. */
  readonly firstOpenString: number;
}

/** Scans by hand, because a backtracking regular expression exhausts the stack on strings of several megabytes. */
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

/** The text of the tokens `from` to `to`, exclusive, including the text between them. */
export function textOf({ text, starts, ends }: TextTokens, from: number, to: number): string {
  return text.slice(starts[from], ends[to - 1]);
}

/**
 * Indices of the tokens that begin an entry, such as `name: "x"` or `feature { … }`, outside all brackets that open at
 * `from` or later. The first is always `from` itself.
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
      // The name of an extension, or of the type of an Any, is in brackets.
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

/** End of the token at `start`; negative for an unterminated string. */
function endOfToken(text: string, start: number, character: string): number {
  if (character === '"' || character === "'") return endOfString(text, start + 1, character);
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : start + String.fromCodePoint(text.codePointAt(start)!).length;
}

/** End of a string, after its quote; negative if the line or the text ends first. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote) return at + 1;
    if (character === "\n") return -at;
    if (character === "\\") at++;
  }
  return -text.length;
}
