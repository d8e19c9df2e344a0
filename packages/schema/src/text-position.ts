/** A place in a text: both numbers count from 1; `column` counts code points. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const WORD = /[\w.+-]+/y;
const WHITE_SPACE = /\s/;

/**
 * Where `read`, a one-pass reader of the text format that fails on `text`, stops. `@bufbuild/protobuf` tells what is
 * wrong but not where; since it reads from left to right, the offending token is the last one of the shortest run of
 * tokens that fails in the same way, which a binary search finds. A text that ends too early is placed at the
 * innermost bracket that is still open.
 */
export function locateTextError(text: string, read: (part: string) => unknown): TextPosition {
  const tokens = tokenize(text);
  const whole = failureOf(read, text);
  if (whole.includes("unexpected end of input")) {
    const open = innermostOpenBracket(text, tokens);
    return positionAt(text, open?.start ?? text.length);
  }
  let passing = 0;
  let failing = tokens.length;
  while (passing + 1 < failing) {
    const middle = (passing + failing) >> 1;
    const end = tokens[middle - 1]?.end ?? 0;
    if (failureOf(read, text.slice(0, end)) === whole) failing = middle;
    else passing = middle;
  }
  // Where a string breaks off matters, not the line break at which the reader notices.
  const open = tokens.slice(0, failing).find(({ isOpen }) => isOpen);
  return positionAt(text, (open ?? tokens[failing - 1])?.start ?? 0);
}

/** A word, a string (also when its line ends before it does), or one character. */
interface Token {
  readonly start: number;
  readonly end: number;
  /** A string that breaks off. */
  readonly isOpen: boolean;
}

/** By hand: a regular expression that goes back and forth in a string of megabytes exhausts the runtime's stack. */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    const character = text.charAt(start);
    if (character === "#") {
      const lineEnd = text.indexOf("\n", start);
      start = lineEnd < 0 ? text.length : lineEnd;
    } else if (WHITE_SPACE.test(character)) {
      start++;
    } else {
      const token = tokenAt(text, start, character);
      tokens.push(token);
      start = token.end;
    }
  }
  return tokens;
}

function tokenAt(text: string, start: number, character: string): Token {
  if (character === '"' || character === "'") {
    const close = endOfString(text, start + 1, character);
    return { start, end: Math.abs(close), isOpen: close < 0 };
  }
  WORD.lastIndex = start;
  const numUnits = WORD.test(text)
    ? WORD.lastIndex - start
    : String.fromCodePoint(text.codePointAt(start)!).length;
  return { start, end: start + numUnits, isOpen: false };
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

function innermostOpenBracket(text: string, tokens: readonly Token[]): Token | undefined {
  const open: Token[] = [];
  for (const token of tokens) {
    const found = text.slice(token.start, token.end);
    if (found === "{" || found === "<" || found === "[") open.push(token);
    else if (found === "}" || found === ">" || found === "]") open.pop();
  }
  return open.at(-1);
}

function failureOf(read: (part: string) => unknown, part: string): string {
  try {
    read(part);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1 };
}
