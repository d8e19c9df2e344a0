import { ArgumentError } from "@tfxio/wire/errors";

/** A token of a filter query. */
export interface FilterToken {
  readonly kind: "name" | "quoted-name" | "string" | "integer" | "float" | "symbol" | "end";
  /** Text of the token, without quotes and with escapes resolved. The token "end" has the text "the end of the query". */
  readonly text: string;
  /** Offset of the token's start in the query, in UTF-16 code units. */
  readonly offset: number;
}

/** Maximum length of a query, in UTF-16 code units. This suffices for a list of several thousand ids. */
const MAX_QUERY_LENGTH = 2 ** 16;

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\x07",
};
const TOKEN =
  /\s+|(?<float>\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(?<integer>0[xX][\da-fA-F]+|\d+)|(?<name>[A-Za-z_]\w*)|`(?<quoted>(?:[^`\\]|\\.)+)`|'(?<single>(?:[^'\\\n]|\\.)*)'|"(?<double>(?:[^"\\\n]|\\.)*)"|(?<symbol><=|>=|!=|<>|[=<>().,+-])/suy;

/**
 * Splits a query into tokens. The last token has the kind "end".
 * @throws {ArgumentError} `invalid-argument` (`filter-query`) for an unexpected character, an unknown escape or a query that is
 * too long.
 */
export function filterTokens(query: string): FilterToken[] {
  if (query.length > MAX_QUERY_LENGTH) {
    throw filterError(`must have at most ${MAX_QUERY_LENGTH} characters, found ${query.length}`, 0);
  }
  const tokens: FilterToken[] = [];
  for (let offset = 0; offset < query.length; ) {
    TOKEN.lastIndex = offset;
    const groups = TOKEN.exec(query)?.groups;
    if (groups === undefined)
      throw filterError(`has an unexpected character ${JSON.stringify(query[offset])}`, offset);
    const { float, integer, name, quoted, symbol } = groups;
    const text = groups["single"] ?? groups["double"];
    if (name !== undefined) tokens.push({ kind: "name", text: name, offset });
    if (quoted !== undefined) tokens.push({ kind: "quoted-name", text: unescaped(quoted, offset), offset });
    if (text !== undefined) tokens.push({ kind: "string", text: unescaped(text, offset), offset });
    if (float !== undefined) tokens.push({ kind: "float", text: float, offset });
    if (integer !== undefined) tokens.push({ kind: "integer", text: integer, offset });
    if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol, offset });
    offset = TOKEN.lastIndex;
  }
  tokens.push({ kind: "end", text: "the end of the query", offset: query.length });
  return tokens;
}

/**
 * Returns the error for an invalid filter query.
 * @param problem The predicate of a sentence that begins with "The filter query", such as "must end here".
 * @param offset Offset of the problem in the query, in UTF-16 code units.
 */
export function filterError(problem: string, offset: number): ArgumentError {
  return new ArgumentError("invalid-argument", `The filter query ${problem}, at offset ${offset}.`, {
    argument: "filter",
    reason: "filter-query",
  });
}

function unescaped(text: string, offset: number): string {
  return text.replaceAll(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])/gu, (_, escape: string) => {
    if (escape.length > 1) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    const character = ESCAPES[escape];
    if (character !== undefined) return character;
    if (/[\\'"`?]/u.test(escape)) return escape;
    throw filterError(`has an unknown escape \\${escape}`, offset);
  });
}
