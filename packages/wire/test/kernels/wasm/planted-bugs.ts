/** A bug in a copy of the kernels' sources: text of a file, and its replacement. */
export interface PlantedBug {
  readonly about: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

/** Bugs that change results. */
export const bugs: readonly PlantedBug[] = [
  {
    about: "the strict path accepts packed floats whose length is not a multiple of four",
    file: "entry.as",
    right: "length % 4 == 0 ? p + length : fail(at)",
    wrong: "p + length",
  },
  {
    about: "the fast path accepts packed floats whose length is not a multiple of four",
    file: "record.as",
    right: "(end - value) % 4 == 0 ? appendFloats(column, value, end) : UNUSUAL",
    wrong: "appendFloats(column, value, end)",
  },
  {
    about: "a varint may have eleven bytes",
    file: "varints.as",
    right: "if (size > 10) return false;",
    wrong: "if (size > 11) return false;",
  },
  {
    about: "a varint of five bytes is read as a varint of four bytes",
    file: "varints.as",
    right: "const fours = pairs & (pairs >> 2);",
    wrong: "const fours = pairs & (pairs >> 3);",
  },
  {
    about: "a varint of nine bytes is read as a varint of eight bytes",
    file: "varints.as",
    right: "const eights = fours & (fours >> 4);",
    wrong: "const eights = fours & (fours >> 5);",
  },
  {
    about: "the tenth byte of a varint is lost",
    file: "varints.as",
    right: "size == 9 ? bits :",
    wrong: "size >= 9 ? bits :",
  },
  {
    about: "a bytes value may extend one byte beyond its list",
    file: "values.as",
    right: "if (length + size > <u32>(end - p)) return UNUSUAL;",
    wrong: "if (length + size > <u32>(end - p) + 1) return UNUSUAL;",
  },
  {
    about: "a name matches if its length and its first sixteen bytes are equal",
    file: "column.as",
    right: "return sizeOfName(length) <= 16 || isLongKey(column, key, sizeOfName(length));",
    wrong: "return true;",
  },
  {
    about: "a repeated name adds its values to the earlier values",
    file: "record.as",
    right: "if (column.row > row) return UNUSUAL;",
    wrong: "if (column.row > row) column.row = row;",
  },
  {
    about: "lists of the previous kind stay when the kind of an entry changes",
    file: "entry.as",
    right: "if (kind != entryKind) firstList = p;",
    wrong: "if (entryKind == UNSET) firstList = p;",
  },
  {
    about: "surrogates are accepted in names",
    file: "scan.as",
    right: "lead == 0xed ? 0x9f :",
    wrong: "",
  },
  {
    about: "a group may end with the end tag of any other group",
    file: "scan.as",
    right: "return inner == tag + 1 ? p : fail(at);",
    wrong: "return p;",
  },
  {
    about: "groups may be nested to any depth",
    file: "scan.as",
    right: "if (depth == 0) return fail(start);",
    wrong: "",
  },
  {
    about: "a tag of more than 32 bits is truncated",
    file: "scan.as",
    right: "result >> 3 == 0 || (shift == 28 && byte > 15)",
    wrong: "result >> 3 == 0",
  },
  {
    about: "the names of a skipped record still count as seen",
    file: "column-rows.as",
    right: "  if (column.firstRow == row && column.role != PLANNED) column.firstRow = NEVER;",
    wrong: "",
  },
  {
    about: "the values of a skipped record stay",
    file: "take-record.as",
    right: "    forget(changetype<Column>(address), row);\n",
    wrong: "    changetype<Column>(address);\n",
  },
  {
    about: "the first null of a column marks the rows before it as null",
    file: "column-rows.as",
    right: "  memory.fill(column.validity, 0xff, whole);\n",
    wrong: "  memory.fill(column.validity, 0, whole);\n",
  },
  {
    about: "a later entry does not clear the mismatch of the entry that it replaces",
    file: "mismatches.as",
    right: "  column.mismatchAt = 0;\n  numMismatches--;",
    wrong: "",
  },
  {
    about: "the upper half of a record's length is ignored",
    file: "tfrecord-frame.as",
    right: "load<u32>(p, 4) != 0 || ",
    wrong: "",
  },
  {
    about: "the checksums of payloads of some lengths are wrong",
    file: "crc32c.as",
    right: "  if (rest >= 8) {",
    wrong: "  if (rest > 8) {\n    crc ^= 1;",
  },
  {
    about: "the new part of a growing bitmap is not cleared",
    file: "column-growth.as",
    right: "    memory.fill(column.validity + before, 0, size - before);\n",
    wrong: "",
  },
];

/** Bugs of the fast path for matching entries. A matching entry begins like an earlier entry of its column. */
export const headBugs: readonly PlantedBug[] = [
  {
    about: "an entry matches an earlier entry if their first sixteen bytes are equal",
    file: "head.as",
    right: "v128.and(v128.and(first, second), third)",
    wrong: "first",
  },
  {
    about: "a matching entry may hold a different number of varints",
    file: "head.as",
    right: " | <u32>!isOne",
    wrong: "",
  },
  {
    about: "a matching entry with a repeated name counts as a separate row",
    file: "head.as",
    right: "if (column.row != row) return false;",
    wrong: "if (column.row < row) return false;",
  },
  {
    about: "a matching entry may follow rows without its feature",
    file: "head.as",
    right: "if (column.row != row) return false;",
    wrong: "if (column.row > row) return false;",
  },
  {
    about: "a matching entry may extend beyond its message",
    file: "head.as",
    right: "<bool>(<u32>(equal == 0xffff) & <u32>(column.entrySize <= <u32>(end - p)))",
    wrong: "equal == 0xffff",
  },
];

/** Bugs that only affect tf.SequenceExamples. */
export const sequenceBugs: readonly PlantedBug[] = [
  {
    about: "a step without a kind is not counted",
    file: "plain-steps.as",
    right: "    step++;",
    wrong: "    if (length > 0) step++;",
  },
  {
    about: "steps without a kind do not become nulls",
    file: "plain-steps.as",
    right: "if (steps.row != step && !seek(steps, step)) return TOO_LARGE;",
    wrong: "",
  },
  {
    about: "the values of discarded steps stay",
    file: "steps.as",
    right: "  discard(steps);",
    wrong: "",
  },
  {
    about: "the validity bits of discarded steps stay",
    file: "steps.as",
    right: "  store<u8>(byte, bits & ~bitOf(step));",
    wrong: "",
  },
  {
    about: "a kind stays even if only discarded steps had it",
    file: "steps.as",
    right: "  if (steps.kindRow != NEVER && steps.kindRow >= count) dropKind(steps);",
    wrong: "",
  },
  {
    about: "a feature list may be put into the column of the feature with the same name",
    file: "feature-list.as",
    right: "<u32>(keyEnd - keyStart) | LIST_NAME",
    wrong: "<u32>(keyEnd - keyStart)",
  },
  {
    about: "a mismatched feature list is reported before a mismatched feature that follows it",
    file: "mismatches.as",
    right: "  return !isList;",
    wrong: "  return a.mismatchAt < b.mismatchAt;",
  },
  {
    about: "the expected kind of a mismatched feature list is not saved",
    file: "feature-list.as",
    right: "    steps.mismatchKind = steps.kind;",
    wrong: "",
  },
  {
    about: "the feature lists of a skipped record still count as seen",
    file: "take-record.as",
    right: "  forgetLists(row);",
    wrong: "",
  },
  {
    about: "groups in a step may be nested one level too deep",
    file: "wire-tags.as",
    right: "DEPTH_STEP: u32 = 96",
    wrong: "DEPTH_STEP: u32 = 97",
  },
  {
    about: "a step may extend one byte beyond its list",
    file: "plain-steps.as",
    right: "if (length + size > <u32>(end - p)) return UNUSUAL;",
    wrong: "if (length + size > <u32>(end - p) + 1) return UNUSUAL;",
  },
  {
    about: "an entry keeps only the steps of its last value",
    file: "feature-list.as",
    right: "    const result = appendSteps(column, p, fieldEnd, start);",
    wrong: "    discardSteps(column);\n    const result = appendSteps(column, p, fieldEnd, start);",
  },
];

/** Bugs that write past a block, into canaries. */
export const overruns: readonly PlantedBug[] = [
  {
    about: "a column may hold more floats than its block has room for",
    file: "values.as",
    right: "if (index + count > column.valueCapacity &&",
    wrong: "if (index + count > column.valueCapacity + (column.valueCapacity > 0 ? 40 : 0) &&",
  },
  {
    about: "a column may hold more bytes than its block has room for",
    file: "values.as",
    right: "if (used + length >= column.valueBytes &&",
    wrong: "if (used + length >= column.valueBytes + (column.valueBytes > 0 ? 200 : 0) &&",
  },
  {
    about: "a column may hold more bytes of matching entries than its block has room for",
    file: "head.as",
    right: "(used + length >= column.valueBytes)",
    wrong: "(used + length >= column.valueBytes + (column.valueBytes > 0 ? 200 : 0))",
  },
  {
    about: "a batch may hold more rows than its blocks have room for",
    file: "take-record.as",
    right: "row >= rowCapacity &&",
    wrong: "row >= rowCapacity + 30 &&",
  },
  {
    about: "a feature list may hold more steps than its blocks have room for",
    file: "plain-steps.as",
    right: "step >= steps.rowCapacity &&",
    wrong: "step >= steps.rowCapacity + 30 &&",
  },
];
