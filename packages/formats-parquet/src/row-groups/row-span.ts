/** Rows `start` to `end` (exclusive) of a row group. */
export interface RowSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns the rows in any of the spans, as ascending, disjoint spans. Adjacent spans are joined. */
export function unionOf(spans: readonly RowSpan[]): readonly RowSpan[] {
  const union: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = union.at(-1);
    if (start >= end) continue;
    if (last === undefined || start > last.end) union.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return union;
}

/** Returns the rows in both arguments, whose spans must be ascending and disjoint. */
export function intersectionOf(left: readonly RowSpan[], right: readonly RowSpan[]): readonly RowSpan[] {
  const common: RowSpan[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined || b === undefined) return common;
    const [start, end] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
    if (start < end) common.push({ start, end });
    if (a.end < b.end) l++;
    else r++;
  }
}

/** Returns the spans, joined across gaps of fewer than `minGap` rows. */
export function joinedOver(spans: readonly RowSpan[], minGap: number): readonly RowSpan[] {
  const joined: RowSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last === undefined || span.start - last.end >= minGap) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: span.end };
  }
  return joined;
}
