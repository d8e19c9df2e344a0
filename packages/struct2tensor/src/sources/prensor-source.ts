import { invalidArgument } from "@tfxio/wire/checks";
import type { Path } from "../path/path.js";
import { numElements, type FieldType } from "../prensor/nodes.js";
import { Prensor } from "../prensor/prensor.js";
import type { QuerySource, SourceReader } from "./query-source.js";
import { fieldNamesOf, type MessageType, type SourceField } from "./source-type.js";

/** Creates a source of prensors. Without `bound`, the prensor is passed to each run. */
export function prensorSource(name: string, type: MessageType, bound?: Prensor): QuerySource {
  return {
    kind: "prensor",
    name,
    ...(bound && { bound }),
    fieldNames: fieldNamesOf(type),
    prepare: () => Promise.resolve(readPrensor(name)),
  };
}

function readPrensor(name: string): SourceReader {
  return {
    read(data) {
      if (!(data instanceof Prensor)) throw invalidArgument(name, "a Prensor", data);
      return {
        size: numElements(data.node),
        numSkipped: 0,
        field: (path: Path) => data.get(path).node,
        payload: () => {
          throw new Error("a prensor has no payloads");
        },
      };
    },
  };
}

/** Returns the fields of a prensor with their types. */
export function typeOfPrensor({ children }: Prensor): MessageType {
  return {
    knownSteps: () => [...children.keys()].map(String),
    child: (step) => {
      const child = children.get(step);
      return child && fieldOfPrensor(child);
    },
  };
}

function fieldOfPrensor(part: Prensor): SourceField {
  const { node } = part;
  if (node.kind === "root") throw new Error("a prensor must not have a root below its root");
  const { kind, isRepeated } = node;
  const type: FieldType = kind === "leaf" ? { kind, isRepeated, dtype: node.dtype } : { kind, isRepeated };
  return { type, ...(kind === "child" && { message: typeOfPrensor(part) }) };
}
