import type {
  Artifact,
  Context,
  Event,
  Execution,
  MetadataStore,
  NodeKind,
  NodeType,
  Properties,
  PropertyValue,
} from "@tfxio/artifacts";

/**
 * A metadata store as JSON. The golden dumps have this form, and so do the dumps that `interop mlmd` gets from ML Metadata's
 * client.
 */
export type MlmdDump = Readonly<Record<string, unknown>>;

/** Dumps a store in the form of the golden dumps, which resembles proto JSON with the field names of the proto. */
export function dumpOf(store: MetadataStore): MlmdDump {
  const artifacts = store.artifacts.list();
  const executions = store.executions.list();
  const contexts = store.contexts.list();
  const entitiesByType = (["artifact", "execution", "context"] as const).flatMap((kind) =>
    store.types
      .all(kind)
      .map(({ name, version }) => [
        `${kind}/${name}${version === undefined ? "" : `@${version}`}`,
        store[`${kind}s`].byType(name, version).map(({ id }) => id),
      ]),
  );
  return {
    artifact_types: types(store, "artifact"),
    execution_types: types(store, "execution"),
    context_types: types(store, "context"),
    artifacts: artifacts.map(node),
    executions: executions.map(node),
    contexts: contexts.map(node),
    events: store.events.ofArtifacts(artifacts.map(({ id }) => id)).map(event),
    attributions: store.links
      .attributionsOf(artifacts.map(({ id }) => id))
      .map(({ contextId, artifactId }) => [contextId, artifactId]),
    associations: store.links
      .associationsOf(executions.map(({ id }) => id))
      .map(({ contextId, executionId }) => [contextId, executionId]),
    parent_contexts: store.links
      .parentsOf(contexts.map(({ id }) => id))
      .map(({ childId, parentId }) => [childId, parentId]),
    entities_by_type: Object.fromEntries(entitiesByType),
  };
}

const SYSTEM_TYPES: Readonly<Record<string, string>> = {
  "mlmd.Dataset": "DATASET",
  "mlmd.Model": "MODEL",
  "mlmd.Metrics": "METRICS",
  "mlmd.Statistics": "STATISTICS",
  "mlmd.Train": "TRAIN",
  "mlmd.Transform": "TRANSFORM",
  "mlmd.Process": "PROCESS",
  "mlmd.Evaluate": "EVALUATE",
  "mlmd.Deploy": "DEPLOY",
};

function types(store: MetadataStore, kind: NodeKind): unknown[] {
  return store.types.all(kind).map((type: NodeType) =>
    present({
      id: String(type.id),
      name: type.name,
      version: type.version,
      description: type.description,
      external_id: type.externalId,
      properties: unlessEmpty(type.properties),
      base_type: SYSTEM_TYPES[type.baseType ?? ""],
      input_type: type.inputType === undefined ? undefined : (JSON.parse(type.inputType) as unknown),
      output_type: type.outputType === undefined ? undefined : (JSON.parse(type.outputType) as unknown),
    }),
  );
}

function node(entity: Artifact | Execution | Context): unknown {
  const { uri, state, lastKnownState } = entity as Partial<Artifact & Execution>;
  return present({
    id: String(entity.id),
    type_id: String(entity.typeId),
    type: entity.type,
    name: entity.name,
    uri,
    state,
    last_known_state: lastKnownState,
    external_id: entity.externalId,
    properties: unlessEmpty(values(entity.properties)),
    custom_properties: unlessEmpty(values(entity.customProperties)),
    create_time_since_epoch: String(entity.createTimeMs),
    last_update_time_since_epoch: String(entity.lastUpdateTimeMs),
  });
}

function event({ artifactId, executionId, type, path, timeMs }: Event): unknown {
  return present({
    artifact_id: String(artifactId),
    execution_id: String(executionId),
    type,
    path: unlessEmpty({
      steps: path.map((step) => (typeof step === "number" ? { index: String(step) } : { key: step })),
    }),
    milliseconds_since_epoch: String(timeMs),
  });
}

function values(properties: Properties): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, valueJson(value)]));
}

function valueJson(value: PropertyValue): unknown {
  switch (typeof value) {
    case "bigint":
      return { int_value: String(value) };
    case "number":
      return { double_value: value };
    case "string":
      return { string_value: value };
    case "boolean":
      return { bool_value: value };
    default: {
      if ("struct" in value) return { struct_value: value.struct };
      const { typeUrl, value: bytes } = value.proto;
      return { proto_value: { typeUrl, valueB64: Buffer.from(bytes).toString("base64") } };
    }
  }
}

/** Returns the members that are not undefined. */
function present(members: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Returns `members`, or undefined if there are no members, or all of them are empty arrays. */
function unlessEmpty(members: object): object | undefined {
  const isEmpty = Object.values(members).every((member) => Array.isArray(member) && member.length === 0);
  return isEmpty ? undefined : members;
}
