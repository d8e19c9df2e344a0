import type { QueryStep } from "@tfxio-tools/conformance/struct2tensor/apply-step";
import { flatAllTypes, type MessageSet } from "../proto/message-sets.js";
import { deepAllTypes, eventLeaves, eventLog, flatFeatures } from "./messages.js";

/** A query over messages of one type. */
export interface QuerySet {
  readonly name: string;
  readonly messages: MessageSet;
  readonly query: readonly QueryStep[];
  /** Paths of the result's leaves. */
  readonly paths: readonly string[];
  /** The form of each leaf in the result: the node itself, or a kind of tensor. */
  readonly view: "nodes" | "ragged" | "sparse" | "dense";
}

const deepLeaf = "child_1.child_2.child_3.child_4.int_values_5";
const ints = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `int_values_${index + 1}`);

const deep = { messages: deepAllTypes, query: [], view: "nodes" } as const;
const flat = { messages: flatAllTypes, query: [], view: "nodes" } as const;
const log = { messages: eventLog, query: [], view: "nodes" } as const;

/** Leaves of the event log, by percentage: two leaves of inner levels, eight leaves from all levels, and all forty leaves. */
const selected = {
  5: eventLeaves.filter((_, index) => index === 9 || index === 16),
  20: eventLeaves.filter((_, index) => index % 5 === 0),
  100: eventLeaves,
} as const;

/** The queries of struct2tensor's own benchmark, followed by projections to 5, 20 and 100 % of the event log's leaves. */
export const querySets: readonly QuerySet[] = [
  { ...flat, name: "project_1_flat", paths: ints(1) },
  { ...flat, name: "project_5_flat", paths: ints(5) },
  { ...deep, name: "project_5_deep", paths: [deepLeaf] },
  {
    ...deep,
    name: "promote_4",
    query: [{ op: "promote", path: deepLeaf, as: "promoted" }],
    paths: ["child_1.child_2.child_3.promoted"],
  },
  {
    ...deep,
    name: "broadcast_2",
    query: [{ op: "broadcast", path: "int_values_1", sibling: "child_1", as: "broadcast" }],
    paths: ["child_1.broadcast"],
  },
  {
    ...deep,
    name: "reroot_4",
    query: [{ op: "reroot", path: "child_1.child_2.child_3.child_4" }],
    paths: ["int_values_5"],
  },
  { ...deep, name: "deep_to_sparse_5", paths: [deepLeaf], view: "sparse" },
  { ...deep, name: "deep_to_ragged_5", paths: [deepLeaf], view: "ragged" },
  { ...deep, name: "deep_to_dense_5", paths: [deepLeaf], view: "dense" },
  { ...flat, name: "flat_to_ragged_100", messages: flatFeatures(1), paths: ints(100), view: "ragged" },
  {
    ...flat,
    name: "flat_to_ragged_100_by_100",
    messages: flatFeatures(100),
    paths: ints(100),
    view: "ragged",
  },
  { ...log, name: "event_log_5", paths: selected[5] },
  { ...log, name: "event_log_20", paths: selected[20] },
  { ...log, name: "event_log_100", paths: selected[100] },
];
