const WORD = /[\w.+-]+/y;
const WHITE_SPACE = /\s/;
/** Change of depth at each bracket. The text format also allows `<` and `>` around messages. */
const BRACKETS: ReadonlyMap<string, 1 | -1> = new Map([
  ["{", 1],
  ["<", 1],
  ["[", 1],
  ["}", -1],
  [">", -1],
  ["]", -1],
]);

/** Tokens of a text. Each token is a word, a string (terminated or not), or a single character. */
export interface TextTokens {
  readonly text: string;
  /** Start of each token, in UTF-16 code units of the text. */
  readonly starts: readonly number[];
  /** End of each token, exclusive. */
  readonly ends: readonly number[];
  /** Token index of the first unterminated string; Infinity if all strings are terminated. */
  readonly firstOpenString: number;
}

/**
 * Splits a text into tokens and skips comments and white space. The loop is written by hand, because a backtracking regular
 * expression exhausts the stack on strings of several megabytes.
 */
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

/** Returns the text from the start of the token `from` to the end of the token `to - 1`. */
export function textOf({ text, starts, ends }: TextTokens, from: number, to: number): string {
  return text.slice(starts[from], ends[to - 1]);
}

/**
 * Returns the indices of the tokens that begin an entry, such as `name: "x"` or `feature { … }`. Skips entries inside brackets
 * that open at `from` or later. The first index is always `from` itself.
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
      // The name of an extension and the type of an expanded Any are in square brackets.
      if (isName || character === "[") found.push(index);
    }
    depth += BRACKETS.get(character) ?? 0;
    previous = character;
  }
  return found;
}

/** Returns the token index of the innermost bracket that is still open at the end of the text; undefined if there is none. */
export function innermostOpenBracket({ text, starts }: TextTokens): number | undefined {
  const open: number[] = [];
  for (const [index, start] of starts.entries()) {
    const change = BRACKETS.get(text.charAt(start));
    if (change === 1) open.push(index);
    else if (change === -1) open.pop();
  }
  return open.at(-1);
}

/** Returns the end of the token at `start`, exclusive; negative for an unterminated string. */
function endOfToken(text: string, start: number, character: string): number {
  if (character === '"' || character === "'") return endOfString(text, start + 1, character);
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : start + String.fromCodePoint(text.codePointAt(start)!).length;
}

/** Returns the end of a string, after its closing quote; negative if the line or the text ends first. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote) return at + 1;
    if (character === "\n") return -at;
    if (character === "\\") at++;
  }
  return -text.length;
}
