/** A place in a text: both numbers count from 1; `column` counts code points. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

// White space and comments; or a token of the text format, a string also when its line ends before it does; or one
// character of what is none.
const NEXT_TOKEN = /(?:\s|#[^\n]*)+|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?|[\w.+-]+|[^]/uy;
const CLOSED_STRING = /^(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*')$/u;

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
  const open = tokens.slice(0, failing).find((token) => isOpenString(text, token));
  return positionAt(text, (open ?? tokens[failing - 1])?.start ?? 0);
}

function isOpenString(text: string, { start, end }: Token): boolean {
  return /^["']/u.test(text.charAt(start)) && !CLOSED_STRING.test(text.slice(start, end));
}

interface Token {
  readonly start: number;
  readonly end: number;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  NEXT_TOKEN.lastIndex = 0;
  for (let match = NEXT_TOKEN.exec(text); match !== null; match = NEXT_TOKEN.exec(text)) {
    const [found] = match;
    if (!/^[\s#]/u.test(found)) tokens.push({ start: match.index, end: match.index + found.length });
  }
  return tokens;
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
