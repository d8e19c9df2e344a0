import type { ListLevel } from "./reached-values.js";

/** Truth values, one byte per row or value: {@link FALSE}, {@link TRUE} or {@link UNKNOWN}, as in SQL. */
export type Truth = Uint8Array;

/** A byte of {@link Truth}: false. */
export const FALSE = 0;
/** A byte of {@link Truth}: true. */
export const TRUE = 1;
/** A byte of {@link Truth}: neither true nor false, the result of a comparison with null. */
export const UNKNOWN = 2;

// Results of `and` and `or`, indexed by `3 * left + right`.
const AND = Uint8Array.of(FALSE, FALSE, FALSE, FALSE, TRUE, UNKNOWN, FALSE, UNKNOWN, UNKNOWN);
const OR = Uint8Array.of(FALSE, TRUE, UNKNOWN, TRUE, TRUE, TRUE, UNKNOWN, TRUE, UNKNOWN);

/** Computes the conjunction or disjunction of `operands`, row by row. Overwrites the first operand and returns it. */
export function joined(kind: "and" | "or", operands: readonly Truth[]): Truth {
  const table = kind === "and" ? AND : OR;
  const [result, ...rest] = operands as [Truth, ...Truth[]];
  for (const operand of rest) {
    for (let row = 0; row < result.length; row++) {
      result[row] = table[3 * (result[row] as number) + (operand[row] as number)] as number;
    }
  }
  return result;
}

/** Negates each row. Unknown stays unknown. Overwrites `operand` and returns it. */
export function negated(operand: Truth): Truth {
  for (let row = 0; row < operand.length; row++)
    if (operand[row] !== UNKNOWN) operand[row] = 1 - (operand[row] as number);
  return operand;
}

/** Sets the rows marked in `isNull` to unknown. Overwrites `truth` and returns it. */
export function unknownWhere(isNull: Uint8Array | undefined, truth: Truth): Truth {
  if (isNull === undefined) return truth;
  for (let row = 0; row < truth.length; row++) if (isNull[row] === 1) truth[row] = UNKNOWN;
  return truth;
}

/** Computes the disjunction of each list's values: false for `[]`, unknown for a null list. */
export function anyOfLists({ rowSplits, isNull }: ListLevel, values: Truth): Truth {
  const truth = new Uint8Array(rowSplits.length - 1);
  for (let row = 0; row < truth.length; row++) {
    const end = rowSplits[row + 1] as number;
    let any = FALSE;
    for (let at = rowSplits[row] as number; at < end && any !== TRUE; at++) {
      const value = values[at] as number;
      if (value !== FALSE) any = value;
    }
    truth[row] = any;
  }
  return unknownWhere(isNull, truth);
}

/** Returns the zero-based indices of the true rows: int32, ascending. Unknown rows are left out. */
export function trueRows(truth: Truth): Int32Array {
  let count = 0;
  for (let row = 0; row < truth.length; row++) if (truth[row] === TRUE) count++;
  const rows = new Int32Array(count);
  let at = 0;
  for (let row = 0; at < count; row++) if (truth[row] === TRUE) rows[at++] = row;
  return rows;
}
