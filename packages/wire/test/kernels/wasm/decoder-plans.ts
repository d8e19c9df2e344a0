import type { ColumnsPlan, ExamplePlan, SequenceExamplePlan } from "../../../src/kernels/index.js";
import { type Kind, kindOf, NAMES } from "./example-tree.js";
import { stepKindOf } from "./sequence-tree.js";

const planned = (
  names: readonly string[],
  kindIn: (name: string) => Kind = kindOf,
): NonNullable<ColumnsPlan["columns"]> => names.map((name) => ({ name, kind: kindIn(name) }));
const plannedLists = (names: readonly string[]): NonNullable<ColumnsPlan["columns"]> =>
  planned(names, stepKindOf);

/** All kinds of plans for tf.Examples. */
export const examplePlans: readonly ExamplePlan[] = [
  {},
  { onMalformed: "skip" },
  { keepRawRecords: true, onMalformed: "skip", ignored: [NAMES[2]!, NAMES[7]!] },
  { columns: planned(NAMES), onMalformed: "skip" },
  { columns: planned(NAMES.toReversed()), keepRawRecords: true, rejectsFeatureLists: true },
  {
    columns: planned(NAMES.slice(3, 12)),
    unlisted: "error",
    ignored: NAMES.slice(12),
    onMalformed: "skip",
  },
  { columns: planned(NAMES.filter((_, i) => i % 4 > 0)), unlisted: "error" },
  { columns: planned(NAMES.slice(5, 7)) },
  { columns: [] },
  { only: NAMES.slice(4, 14), onMalformed: "skip" },
  { maxColumns: 20, onMalformed: "skip" },
  { maxColumns: 3, columns: planned(NAMES.slice(3, 12)), unlisted: "error" },
];

/** All kinds of plans for tf.SequenceExamples. Lists and context can be planned differently. */
export const sequencePlans: readonly SequenceExamplePlan[] = [
  { featureLists: {} },
  { featureLists: {}, onMalformed: "skip" },
  { keepRawRecords: true, onMalformed: "skip", featureLists: { ignored: [NAMES[2]!, NAMES[7]!] } },
  { columns: planned(NAMES), onMalformed: "skip", featureLists: { columns: plannedLists(NAMES) } },
  {
    columns: planned(NAMES.slice(3, 12)),
    unlisted: "error",
    featureLists: { columns: plannedLists(NAMES.toReversed()), unlisted: "error" },
    keepRawRecords: true,
  },
  {
    columns: planned(NAMES.slice(0, 12)),
    unlisted: "error",
    ignored: NAMES.slice(12),
    onMalformed: "skip",
    featureLists: {
      columns: plannedLists(NAMES.slice(3, 12)),
      unlisted: "error",
      ignored: NAMES.slice(12),
    },
  },
  { columns: planned(NAMES.slice(5, 15)), unlisted: "error", featureLists: {}, onMalformed: "skip" },
  { featureLists: { columns: plannedLists(NAMES.filter((_, i) => i % 4 > 0)), unlisted: "error" } },
  { columns: [], featureLists: { columns: plannedLists(NAMES.slice(5, 7)) } },
  { columns: [], featureLists: { columns: [] } },
  { only: NAMES.slice(4, 14), onMalformed: "skip", featureLists: { only: NAMES.slice(8, 18) } },
  { maxColumns: 25, onMalformed: "skip", featureLists: {} },
];
