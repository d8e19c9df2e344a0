import { ArgumentError } from "@tfxio/wire";
import { aString, invalidArgument } from "@tfxio/wire/checks";
import { ColumnPath } from "../column-path.js";
import { compareOperators, MAX_DEPTH } from "./check-predicate.js";
import type { CompareOperator, Predicate, PredicateValue } from "./predicate.js";
import { NUMBER, parseNumber, parseString, STRING } from "./predicate-literals.js";
import { NAME, reservedWord } from "./predicate-names.js";

/**
 * Parses the text form of a predicate, such as `age >= 18 and country in ("DE", "FR")`.
 *
 * - Comparisons: `==`, `!=`, `<`, `<=`, `>`, `>=` with a value on the right; `in (…)`, `not in (…)`; `is null`, `is not null`.
 * - Logic: `not` binds most tightly, then `and`, then `or`. Use parentheses to group.
 * - Columns: `age`, or a path of steps such as `user.age`. Put a step in single quotes (`'in'`) if it is empty, is a reserved
 *   word, or begins with a digit, `-`, `/` or `:`. Also quote a step with characters other than letters, digits and
 *   `_ - / : # $ @`: `'a.b'.c`. Double any single quotes inside it.
 * - Values: integers of any size, which become bigints; floats, `NaN`, `Infinity` and `-Infinity`, which become numbers; text in
 *   double quotes with JSON's escapes; bytes as `b"\x00"`; `true` and `false`.
 * - The words `and or not in is null true false` are reserved, in any mix of lower and upper case.
 * @throws {ArgumentError} `invalid-argument`, reason `predicate`. `offset` is the position of the error in `text`, in UTF-16 code
 *   units.
 */
export function parsePredicate(text: string): Predicate {
  if (!aString.holds(text)) throw invalidArgument("text", aString.expected, text, { reason: "predicate" });
  return new PredicateParser(text).parse();
}

/** A recursive-descent parser without backtracking. White space is skipped after each token. */
class PredicateParser {
  readonly #text: string;
  #offset = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  parse(): Predicate {
    const predicate = this.#or();
    if (this.#offset < this.#text.length) throw this.#expected('"and", "or" or the end');
    return predicate;
  }

  #or(): Predicate {
    return this.#joined("or", () => this.#joined("and", () => this.#unary()));
  }

  /** Parses operands joined by `kind`. A single operand is returned as it is. */
  #joined(kind: "and" | "or", next: () => Predicate): Predicate {
    const operands = [next()];
    while (this.#takeWord(kind)) operands.push(next());
    return operands.length === 1
      ? (operands[0] as Predicate)
      : Object.freeze({ kind, operands: Object.freeze(operands) });
  }

  #unary(): Predicate {
    // `not (…)` is one level of the tree but two calls of this method, so the limit is doubled.
    if (++this.#depth > 2 * MAX_DEPTH + 1) {
      throw this.#expected(`at most ${MAX_DEPTH} levels of nesting`, "more");
    }
    const predicate = this.#takeWord("not") ? negated(this.#unary()) : this.#primary();
    this.#depth--;
    return predicate;
  }

  #primary(): Predicate {
    if (!this.#takeSign("(")) return this.#comparison();
    const predicate = this.#or();
    if (!this.#takeSign(")")) throw this.#expected('"and", "or" or ")"');
    return predicate;
  }

  #comparison(): Predicate {
    const column = this.#column();
    const op = compareOperators.find((sign) => this.#takeSign(sign));
    if (op !== undefined) return this.#compared(column, op);
    if (this.#takeWord("is")) {
      const isNegated = this.#takeWord("not");
      if (!this.#takeWord("null")) throw this.#expected(isNegated ? '"null"' : '"null" or "not null"');
      const isNull = Object.freeze({ kind: "isNull", column } as const);
      return isNegated ? negated(isNull) : isNull;
    }
    if (this.#takeWord("in")) return this.#oneOf(column);
    if (!this.#takeWord("not")) {
      const operators = [...compareOperators, "in", "not in"].map((each) => `"${each}"`).join(", ");
      throw this.#expected(`${operators} or "is"`);
    }
    if (!this.#takeWord("in")) throw this.#expected('"in"');
    return negated(this.#oneOf(column));
  }

  #compared(column: ColumnPath, op: CompareOperator): Predicate {
    const value = this.#value('a number, text in double quotes, bytes such as b"\\x00", true or false');
    return Object.freeze({ kind: "compare", column, op, value });
  }

  #oneOf(column: ColumnPath): Predicate {
    if (!this.#takeSign("(")) throw this.#expected('"("');
    const values: PredicateValue[] = [];
    if (!this.#takeSign(")")) {
      do values.push(this.#value(values.length === 0 ? 'a value or ")"' : "a value"));
      while (this.#takeSign(","));
      if (!this.#takeSign(")")) throw this.#expected('"," or ")"');
    }
    return Object.freeze({ kind: "in", column, values: Object.freeze(values) });
  }

  #column(): ColumnPath {
    const name = this.#match(NAME);
    if (name === undefined || reservedWord(name) !== undefined || this.#match(STRING) !== undefined) {
      throw this.#expected('a column, "not" or "("');
    }
    this.#advance(name);
    return ColumnPath.parse(name);
  }

  #value(expected: string): PredicateValue {
    const quoted = this.#match(STRING);
    if (quoted !== undefined) {
      const value = parseString(quoted);
      if (value === undefined)
        throw this.#expected(
          "text with JSON escapes, or bytes as printable ASCII with escapes such as \\x00",
        );
      this.#advance(quoted);
      return value;
    }
    const named = this.#namedValue();
    if (named !== undefined) return named;
    const number = this.#match(NUMBER);
    if (number === undefined) throw this.#expected(expected);
    this.#advance(number);
    // If a letter, digit or dot follows without a space, the number itself is malformed, as in `18x`.
    if (/[\p{L}\p{N}_.]/u.test(this.#text.charAt(this.#offset)) && !this.#followsSpace()) {
      throw this.#expected("the end of the number");
    }
    return parseNumber(number);
  }

  /** Takes `true`, `false`, `NaN`, `Infinity` or `-Infinity`. Undefined if none of them is next. */
  #namedValue(): boolean | number | undefined {
    const sign = this.#text.startsWith("-", this.#offset) ? "-" : "";
    const name = this.#match(NAME, sign.length);
    const value = valuesByName.get(`${sign}${(name && reservedWord(name)) ?? name}`);
    if (value !== undefined) this.#advance(`${sign}${name}`);
    return value;
  }

  /** Advances past the reserved word `word` if it is next. Returns whether it was. */
  #takeWord(word: string): boolean {
    const name = this.#match(NAME);
    if (name === undefined || reservedWord(name) !== word) return false;
    this.#advance(name);
    return true;
  }

  #takeSign(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#offset)) return false;
    this.#advance(sign);
    return true;
  }

  /** Returns the text that `pattern`, a sticky expression, matches at the current offset plus `skipped`. */
  #match(pattern: RegExp, skipped = 0): string | undefined {
    pattern.lastIndex = this.#offset + skipped;
    return pattern.exec(this.#text)?.[0];
  }

  #advance(token: string): void {
    this.#offset += token.length;
    this.#skipSpace();
  }

  #skipSpace(): void {
    while (/\s/u.test(this.#text.charAt(this.#offset))) this.#offset++;
  }

  /** Returns whether white space precedes the current offset. */
  #followsSpace(): boolean {
    return /\s/u.test(this.#text.charAt(this.#offset - 1));
  }

  /** Describes the text at the current offset. */
  #next(): string {
    const next = this.#text.slice(this.#offset, this.#offset + 20);
    return next === "" ? "the end" : JSON.stringify(next);
  }

  #expected(expected: string, found = this.#next()): ArgumentError {
    return new ArgumentError(
      "invalid-argument",
      `${JSON.stringify(this.#text)} is not a predicate: at offset ${this.#offset} expected ${expected}, found ${found}.`,
      { reason: "predicate", argument: "text", offset: this.#offset },
    );
  }
}

const valuesByName: ReadonlyMap<string, boolean | number> = new Map<string, boolean | number>([
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

function negated(operand: Predicate): Predicate {
  return Object.freeze({ kind: "not", operand });
}
