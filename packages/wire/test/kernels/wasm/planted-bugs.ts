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
    about: "packed floats need not be a multiple of four bytes long",
    file: "entry.as",
    right: "length % 4 == 0 ? p + length : fail(at)",
    wrong: "p + length",
  },
  {
    about: "the same on the short way",
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
    about: "a varint of five bytes is read as one of four",
    file: "varints.as",
    right: "const fours = pairs & (pairs >> 2);",
    wrong: "const fours = pairs & (pairs >> 3);",
  },
  {
    about: "a varint of nine bytes is read as one of eight",
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
    about: "a bytes value may reach a byte too far",
    file: "values.as",
    right: "if (length + size > <u32>(end - p)) return UNUSUAL;",
    wrong: "if (length + size > <u32>(end - p) + 1) return UNUSUAL;",
  },
  {
    about: "a name counts as found when its first sixteen bytes are equal",
    file: "column.as",
    right: "return sizeOfName(length) <= 16 || isLongKey(column, key, sizeOfName(length));",
    wrong: "return true;",
  },
  {
    about: "a repeated name adds its values",
    file: "record.as",
    right: "if (column.row > row) return UNUSUAL;",
    wrong: "if (column.row > row) column.row = row;",
  },
  {
    about: "lists of the earlier kind stay when the kind changes",
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
    about: "groups may nest without end",
    file: "scan.as",
    right: "if (depth == 0) return fail(start);",
    wrong: "",
  },
  {
    about: "a tag of more than 32 bits is cut",
    file: "scan.as",
    right: "result >> 3 == 0 || (shift == 28 && byte > 15)",
    wrong: "result >> 3 == 0",
  },
  {
    about: "a skipped record leaves the word that its names occurred",
    file: "column-rows.as",
    right: "  if (column.firstRow == row && column.role != PLANNED) column.firstRow = NEVER;",
    wrong: "",
  },
  {
    about: "a skipped record leaves its values",
    file: "take-record.as",
    right: "    forget(changetype<Column>(address), row);\n",
    wrong: "    changetype<Column>(address);\n",
  },
  {
    about: "the first null of a column forgets that the rows before were present",
    file: "column-rows.as",
    right: "  memory.fill(column.validity, 0xff, whole);\n",
    wrong: "  memory.fill(column.validity, 0, whole);\n",
  },
  {
    about: "a later entry does not take back one that does not fit",
    file: "mismatches.as",
    right: "  column.mismatchAt = 0;\n  numMismatches--;",
    wrong: "",
  },
  {
    about: "the upper half of a record's length is not looked at",
    file: "tfrecord-frame.as",
    right: "load<u32>(p, 4) != 0 || ",
    wrong: "",
  },
  {
    about: "the checksum of a payload of some length is wrong",
    file: "crc32c.as",
    right: "  if (rest >= 8) {",
    wrong: "  if (rest > 8) {\n    crc ^= 1;",
  },
  {
    about: "bitmaps do not grow with the rows",
    file: "column-growth.as",
    right: "    memory.fill(column.validity + before, 0, size - before);\n",
    wrong: "",
  },
];

/** Bugs of the fast path for entries that begin like the previous one of their column. */
export const headBugs: readonly PlantedBug[] = [
  {
    about: "an entry is taken for one like the last when their first bytes are the same",
    file: "head.as",
    right: "v128.and(v128.and(first, second), third)",
    wrong: "first",
  },
  {
    about: "an entry like the last may hold another number of varints",
    file: "head.as",
    right: " | <u32>!isOne",
    wrong: "",
  },
  {
    about: "an entry like the last of a name that was there is a row of its own",
    file: "head.as",
    right: "if (column.row != row) return false;",
    wrong: "if (column.row < row) return false;",
  },
  {
    about: "an entry like the last may come behind missing rows",
    file: "head.as",
    right: "if (column.row != row) return false;",
    wrong: "if (column.row > row) return false;",
  },
  {
    about: "an entry like the last may reach out of its message",
    file: "head.as",
    right: "<bool>(<u32>(equal == 0xffff) & <u32>(column.entrySize <= <u32>(end - p)))",
    wrong: "equal == 0xffff",
  },
];

/** Bugs that only affect tf.SequenceExamples. */
export const sequenceBugs: readonly PlantedBug[] = [
  {
    about: "a step without kind is none",
    file: "plain-steps.as",
    right: "    step++;",
    wrong: "    if (length > 0) step++;",
  },
  {
    about: "steps without kind are not made nulls",
    file: "plain-steps.as",
    right: "if (steps.row != step && !seek(steps, step)) return TOO_LARGE;",
    wrong: "",
  },
  {
    about: "values of steps that were taken back stay",
    file: "steps.as",
    right: "  discard(steps);",
    wrong: "",
  },
  {
    about: "bits of steps that were taken back stay",
    file: "steps.as",
    right: "  store<u8>(byte, bits & ~bitOf(step));",
    wrong: "",
  },
  {
    about: "a kind that was found in steps that were taken back stays",
    file: "steps.as",
    right: "  if (steps.kindRow != NEVER && steps.kindRow >= count) dropKind(steps);",
    wrong: "",
  },
  {
    about: "a feature list may be put into the column of the feature of its name",
    file: "feature-list.as",
    right: "<u32>(keyEnd - keyStart) | LIST_NAME",
    wrong: "<u32>(keyEnd - keyStart)",
  },
  {
    about: "a feature list is told before a feature that lies behind it",
    file: "mismatches.as",
    right: "  return !isList;",
    wrong: "  return a.mismatchAt < b.mismatchAt;",
  },
  {
    about: "the kind that was expected is told as it is after taking back",
    file: "feature-list.as",
    right: "    steps.mismatchKind = steps.kind;",
    wrong: "",
  },
  {
    about: "a skipped record leaves the word that there are feature lists",
    file: "take-record.as",
    right: "  forgetLists(row);",
    wrong: "",
  },
  {
    about: "groups in a step may nest a level deeper",
    file: "wire-tags.as",
    right: "DEPTH_STEP: u32 = 96",
    wrong: "DEPTH_STEP: u32 = 97",
  },
  {
    about: "a step may reach a byte too far",
    file: "plain-steps.as",
    right: "if (length + size > <u32>(end - p)) return UNUSUAL;",
    wrong: "if (length + size > <u32>(end - p) + 1) return UNUSUAL;",
  },
  {
    about: "only the last of the values of an entry has steps",
    file: "feature-list.as",
    right: "    const result = appendSteps(column, p, fieldEnd, start);",
    wrong: "    discardSteps(column);\n    const result = appendSteps(column, p, fieldEnd, start);",
  },
];

/** Bugs that write past a block, into canaries. */
export const overruns: readonly PlantedBug[] = [
  {
    about: "a column's numbers may be more than there is room for",
    file: "values.as",
    right: "if (index + count > column.valueCapacity &&",
    wrong: "if (index + count > column.valueCapacity + (column.valueCapacity > 0 ? 40 : 0) &&",
  },
  {
    about: "a column's bytes may be more than there is room for",
    file: "values.as",
    right: "if (used + length >= column.valueBytes &&",
    wrong: "if (used + length >= column.valueBytes + (column.valueBytes > 0 ? 200 : 0) &&",
  },
  {
    about: "so may those of entries like the last",
    file: "head.as",
    right: "(used + length >= column.valueBytes)",
    wrong: "(used + length >= column.valueBytes + (column.valueBytes > 0 ? 200 : 0))",
  },
  {
    about: "rows may be more than there is room for",
    file: "take-record.as",
    right: "row >= rowCapacity &&",
    wrong: "row >= rowCapacity + 30 &&",
  },
  {
    about: "steps may be more than there is room for",
    file: "plain-steps.as",
    right: "step >= steps.rowCapacity &&",
    wrong: "step >= steps.rowCapacity + 30 &&",
  },
];
