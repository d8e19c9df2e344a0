// The metadata store.
export { openMetadataStore, type OpenStoreOptions } from "./store/open-store.js";
export type {
  ArtifactStore,
  ContextStore,
  ExecutionStore,
  MetadataStore,
  NodeStore,
} from "./store/metadata-store.js";
export type {
  Artifact,
  ArtifactInput,
  Context,
  ContextInput,
  Event,
  EventInput,
  EventStep,
  Execution,
  ExecutionInput,
  NodeType,
  NodeTypeInput,
} from "./store/entities.js";
export type { EventStore } from "./store/events.js";
export type { Association, Attribution, Links, LinkStore, ParentContext } from "./store/links.js";
export type { ArtifactState, EventType, ExecutionState, NodeKind, PropertyType } from "./store/names.js";
export type { PutTypeOptions, TypeStore } from "./store/node-types.js";
export type { Lineage, LineageEnd, LineageOptions } from "./store/query/lineage.js";
export type { ListOptions, Page, PageOptions } from "./store/query/list-nodes.js";
export type { Properties, PropertyValue } from "./store/values/property-value.js";
export type { ProtoValue } from "./store/values/value-errors.js";

// Drivers for other SQLite libraries.
export {
  type SqlConnection,
  type SqlDriver,
  SqlFailure,
  type SqlRow,
  type SqlValue,
  type StoreAccess,
} from "./store/drivers/driver.js";

// Examples and DataViews.
export { type Examples, examplesOf } from "./examples/examples-of.js";
export type { ExamplesDescription } from "./examples/examples-input.js";
export type { FileFormat, PayloadFormat } from "./examples/formats.js";
export { publishExamples } from "./examples/publish-examples.js";
export { examplesWriter, type ExamplesWriterOptions } from "./examples/write-examples.js";
export { dataViewBinder } from "./views/data-view-binder.js";
export { dataViewProvider } from "./views/data-view-provider.js";

// Reading the data of Examples artifacts.
export { openExamples, type OpenExamplesOptions } from "./resolver/open-examples.js";
export { type ResolvedExamples, resolveExamples, type ResolveOptions } from "./resolver/resolve-examples.js";

// Running components.
export type {
  Component,
  ComponentContext,
  InputArtifacts,
  OutputArtifact,
  Parameters,
} from "./runner/component.js";
export { type ComponentRun, runComponent, type RunOptions } from "./runner/run-component.js";
export { startExecution, type StartOptions } from "./runner/start-execution.js";

// Deleting bytes that nothing needs.
export { localFiles, type ManagedFiles, storedFiles } from "./collection/managed-files.js";
export { type KeepReason, planSweep, type SweepDecision, type SweepInput } from "./collection/plan-sweep.js";
export {
  type CollectionPolicy,
  keepLargestGroups,
  keepNewest,
  markForDeletion,
} from "./collection/policies.js";
export { sweep, type SweepOptions, type SweepReport } from "./collection/sweep.js";

// Lineage as text and as diagrams.
export { artifactLabel, executionLabel } from "./reports/lineage-graph.js";
export { lineageMermaid } from "./reports/lineage-mermaid.js";
export { lineageText, type LineageTextOptions } from "./reports/lineage-tree.js";
