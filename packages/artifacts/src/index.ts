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

// For another SQLite library.
export {
  type SqlConnection,
  type SqlDriver,
  SqlFailure,
  type SqlRow,
  type SqlValue,
  type StoreAccess,
} from "./store/drivers/driver.js";
