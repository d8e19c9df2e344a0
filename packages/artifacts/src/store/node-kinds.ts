import { ARTIFACT_STATES, EXECUTION_STATES, type NodeKind } from "./names.js";

/** The names of the tables and columns that store nodes of one kind. */
export interface NodeTables {
  readonly kind: NodeKind;
  readonly table: "Artifact" | "Execution" | "Context";
  /** The column that holds a node's id in other tables, such as the property table. */
  readonly idColumn: "artifact_id" | "execution_id" | "context_id";
  /** The state: its column, its member name in TypeScript, and the numbers of its values by name; undefined for contexts. */
  readonly state?:
    | {
        readonly column: "state" | "last_known_state";
        readonly member: "state" | "lastKnownState";
        readonly numbers: Readonly<Record<string, number>>;
      }
    | undefined;
  readonly hasUri: boolean;
}

export const NODE_TABLES: Readonly<Record<NodeKind, NodeTables>> = {
  artifact: {
    kind: "artifact",
    table: "Artifact",
    idColumn: "artifact_id",
    state: { column: "state", member: "state", numbers: ARTIFACT_STATES },
    hasUri: true,
  },
  execution: {
    kind: "execution",
    table: "Execution",
    idColumn: "execution_id",
    state: { column: "last_known_state", member: "lastKnownState", numbers: EXECUTION_STATES },
    hasUri: false,
  },
  context: { kind: "context", table: "Context", idColumn: "context_id", hasUri: false },
};
