import { ARTIFACT_STATES, EXECUTION_STATES, type NodeKind } from "./names.js";

/** Tables and columns that store nodes of one kind. */
export interface NodeTables {
  readonly kind: NodeKind;
  readonly table: "Artifact" | "Execution" | "Context";
  /** The column that refers to such a node, in its property table and elsewhere. */
  readonly idColumn: "artifact_id" | "execution_id" | "context_id";
  /** The column of the state, the member's name in TypeScript, and the numbers of the states. */
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
