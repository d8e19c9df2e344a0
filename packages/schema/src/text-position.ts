import { entryStarts, innermostOpenBracket, textOf, type TextTokens, tokenize } from "./text-tokens.js";

/** Limit on the nesting levels to search, because a hostile text can nest without limit. Real schemas nest less deeply. */
const MAX_LEVELS = 16;

/** A position in a text. Both numbers start at 1; `column` counts code points. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the position at which `read`, a parser of the text format, fails on `text`. `@bufbuild/protobuf` reports the problem but
 * not its position. It parses from left to right, so the offending token is the last token of the shortest prefix that fails with
 * the same error. For a text that ends too early, the result is the position of the innermost open bracket, or the end if none is
 * open.
 */
export function locateTextError(text: string, read: (part: string) => unknown): TextPosition {
  const tokens = tokenize(text);
  const failure = failureOf(read, text);
  if (failure.includes("unexpected end of input")) {
    const open = innermostOpenBracket(tokens);
    return positionAt(text, open === undefined ? text.length : tokens.starts[open]!);
  }
  const fails: Fails = (part) => failureOf(read, part) === failure;
  const all: Run = { context: "", from: 0, to: tokens.starts.length };
  const failing = lastOfShortestRun(tokens, narrowed(tokens, all, fails) ?? all, fails);
  // Report the start of an unterminated string, not the line break at which `read` fails.
  return positionAt(text, tokens.starts[Math.min(failing, tokens.firstOpenString)] ?? 0);
}

/** Returns whether parsing `part` fails with the same error as parsing the whole text. */
type Fails = (part: string) => boolean;

/** The tokens from index `from` to `to - 1`. The offending token is one of them. */
interface Run {
  /** A short text that stands for everything before the run. */
  readonly context: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the innermost failing entry by bisection. Each half is parsed with a short context in place of all entries before it, so
 * all attempts together take about as long as parsing the text twice. Some errors, such as a field given twice, depend on an
 * earlier entry of the same name. The context therefore keeps the shortest entry of each name. Returns undefined if the error
 * depends on more than this context.
 */
function narrowed(tokens: TextTokens, { context: before, from, to }: Run, fails: Fails): Run | undefined {
  let context = before;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const kept = new Map<string, string>();
    let entries = entryStarts(tokens, from, to);
    const contextNow = (): string => [context, ...kept.values()].join(" ");
    while (entries.length > 1) {
      const half = entries.length >> 1;
      const middle = entries[half]!;
      if (fails(`${contextNow()} ${textOf(tokens, entries[0]!, middle)}`)) {
        to = middle;
        entries = entries.slice(0, half);
        continue;
      }
      for (let index = 0; index < half; index++) {
        const entry = textOf(tokens, entries[index]!, entries[index + 1]!);
        const name = textOf(tokens, entries[index]!, entries[index]! + 1);
        if (entry.length < (kept.get(name)?.length ?? Number.POSITIVE_INFINITY)) kept.set(name, entry);
      }
      entries = entries.slice(half);
    }
    from = entries[0]!;
    context = contextNow();
    if (!fails(`${context} ${textOf(tokens, from, to)}`)) return undefined;
    const body = startOfBody(tokens, from, to);
    const head = `${context} ${textOf(tokens, from, body)}`;
    if (body === to || fails(head)) break;
    context = head;
    from = body;
  }
  return { context, from, to };
}

/** Returns the index of the token after the first opening brace or `<`; `to` if there is none. */
function startOfBody({ text, starts }: TextTokens, from: number, to: number): number {
  for (let index = from; index < to; index++) {
    const character = text.charAt(starts[index]!);
    if (character === "{" || character === "<") return index + 1;
  }
  return to;
}

/**
 * Finds the last token of the shortest failing prefix of the run: doubles the prefix until it fails, then bisects. Runs are
 * usually short, except in texts with stray brackets.
 */
function lastOfShortestRun(tokens: TextTokens, { context, from, to }: Run, fails: Fails): number {
  const failsTo = (end: number): boolean => fails(`${context} ${textOf(tokens, from, end)}`);
  let passing = from;
  let failing = from + 1;
  for (let step = 2; failing < to && !failsTo(failing); step *= 2) {
    passing = failing;
    failing = Math.min(to, from + step);
  }
  while (passing + 1 < failing) {
    const middle = (passing + failing) >> 1;
    if (failsTo(middle)) failing = middle;
    else passing = middle;
  }
  return failing - 1;
}

/** Returns the message of the error that `read` throws for `part`; empty if it succeeds. */
function failureOf(read: (part: string) => unknown, part: string): string {
  try {
    read(part);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Converts an offset in UTF-16 code units to a position. */
function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1 };
}
