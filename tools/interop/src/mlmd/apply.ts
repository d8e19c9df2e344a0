import type {
  ContextInput,
  EventInput,
  MetadataStore,
  NodeTypeInput,
  Properties,
  PropertyValue,
} from "@tfxio/artifacts";
import { isTfxioError } from "@tfxio/wire";
import type { Fields, Operation } from "./operations.js";

/** Performs the calls on our store. Returns, for each call, the ids that it returned, or "rejected" if the store rejected it. */
export function applyOperations(store: MetadataStore, operations: readonly Operation[]): unknown[] {
  return operations.map((operation) => {
    try {
      return applied(store, operation);
    } catch (error) {
      if (isTfxioError(error, "invalid-argument")) return "rejected";
      throw error;
    }
  });
}

function applied(store: MetadataStore, operation: Operation): readonly number[] {
  switch (operation.op) {
    case "type": {
      const { kind, canAdd, canOmit } = operation;
      const { base_type: base, ...type } = operation.type as {
        readonly base_type?: string;
        readonly name: string;
      };
      const input = {
        ...type,
        ...(base === undefined ? {} : { baseType: systemType(base) }),
      } as NodeTypeInput;
      return [store.types.put(kind, input, { canAddFields: canAdd, canOmitFields: canOmit })];
    }
    case "nodes":
      return store[`${operation.kind}s`].put(operation.nodes.map(nodeInput));
    case "event": {
      const { artifact_id, execution_id, type, milliseconds_since_epoch, path } = operation.event as Readonly<
        Record<string, string>
      > & {
        readonly path: { readonly steps: readonly { readonly key?: string; readonly index?: string }[] };
      };
      store.events.put([
        {
          artifactId: Number(artifact_id),
          executionId: Number(execution_id),
          type: type as EventInput["type"],
          timeMs: Number(milliseconds_since_epoch),
          path: path.steps.map(({ key, index }) => key ?? Number(index)),
        },
      ]);
      return [];
    }
    case "links":
      store.links.put({
        attributions: operation.attributions.map((link) => ({
          contextId: Number(link["context_id"]),
          artifactId: Number(link["artifact_id"]),
        })),
        associations: operation.associations.map((link) => ({
          contextId: Number(link["context_id"]),
          executionId: Number(link["execution_id"]),
        })),
      });
      return [];
    case "parent": {
      const { child_id, parent_id } = operation.parent;
      store.links.put({ parents: [{ childId: Number(child_id), parentId: Number(parent_id) }] });
      return [];
    }
  }
}

/** Converts the enum name of a base type, such as `DATASET`, to the type name `mlmd.Dataset`. */
function systemType(base: string): string {
  return `mlmd.${base.charAt(0)}${base.slice(1).toLowerCase()}`;
}

function nodeInput(fields: Fields): ContextInput {
  const { id, last_known_state, external_id, properties, custom_properties, ...same } = fields;
  return {
    ...same,
    ...(id === undefined ? {} : { id: Number(id) }),
    ...(last_known_state === undefined ? {} : { lastKnownState: last_known_state }),
    ...(external_id === undefined ? {} : { externalId: external_id as string }),
    properties: propertiesOf(properties),
    customProperties: propertiesOf(custom_properties),
  };
}

function propertiesOf(fields: unknown): Properties {
  return Object.fromEntries(
    Object.entries(fields as Readonly<Record<string, Fields>>).map(([name, value]) => [name, valueOf(value)]),
  );
}

function valueOf(value: Fields): PropertyValue {
  const [[kind, content] = []] = Object.entries(value);
  switch (kind) {
    case "int_value":
      return BigInt(content as string);
    case "struct_value":
      return { struct: content as Record<string, never> };
    case "proto_value": {
      const { typeUrl, valueB64 } = content as { readonly typeUrl: string; readonly valueB64: string };
      return { proto: { typeUrl, value: new Uint8Array(Buffer.from(valueB64, "base64")) } };
    }
    default:
      return content as number | string | boolean;
  }
}
