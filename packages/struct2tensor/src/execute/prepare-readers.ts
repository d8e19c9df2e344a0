import type { Path } from "../path/path.js";
import type { PlanNode } from "../plan/canonical.js";
import { unusable } from "../expression/errors.js";
import type { SourceReader } from "../sources/query-source.js";

/** Source readers, keyed by the node that holds the source. */
export type Readers = ReadonlyMap<PlanNode, SourceReader>;

/**
 * Creates a reader for each source of the plan. A reader reads only the fields that the plan uses.
 * @throws {ArgumentError} `invalid-argument` (`source-name`) if two unbound sources share a name. (An unbound source gets its
 *   data as an input of each run.) Also throws the errors of {@link QuerySource.prepare}, such as `map-key`.
 */
export async function prepareReaders(nodes: readonly PlanNode[]): Promise<Readers> {
  const heads = new Map<PlanNode, { readonly fields: Path[]; readonly payloads: Path[] }>();
  for (const planned of nodes) {
    const { node, path, inputs } = planned;
    if (node.source !== undefined) heads.set(planned, { fields: [], payloads: [] });
    if (path === undefined) continue;
    const needs = heads.get(inputs[0]!)!;
    (node.op === "payload" ? needs.payloads : needs.fields).push(path);
  }
  assertNames([...heads.keys()].filter(({ node }) => node.op === "root"));
  const readers = [...heads].map(
    async ([head, needs]) => [head, await head.node.source!.prepare(needs)] as const,
  );
  return new Map(await Promise.all(readers));
}

/**
 * Asserts that unbound sources, whose data is an input of each run, have different names. A bound source has its data already
 * and is never looked up by name, so its name does not matter.
 */
function assertNames(roots: readonly PlanNode[]): void {
  const names = new Set<string>();
  for (const { node } of roots) {
    const { name, bound } = node.source!;
    if (bound !== undefined) continue;
    if (names.has(name)) {
      throw unusable(
        "source-name",
        `Two sources are named "${name}"; give one of them another name.`,
        "name",
      );
    }
    names.add(name);
  }
}
