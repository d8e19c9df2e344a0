import { ProtoWriter, WireType } from "@tfxio/wire";

/** A node of a graph or of a function. @see TensorFlow `node_def.proto`, `attr_value.proto` */
export interface TestNode {
  readonly name: string;
  readonly op: string;
  readonly inputs?: readonly string[];
  /** Name of the function that the node calls. Encoded as the attribute `f`. */
  readonly calls?: string;
  /** Sizes of the dimensions of a tensor. Encoded as the attribute `value`. */
  readonly tensorShape?: readonly number[];
}

/** A tensor's name, the number of its dtype in TensorFlow's `DataType`, and its dimensions, where -1 means any size. */
export type TestTensor = readonly [name: string, dtype: number, sizes: readonly number[]];

/** A graph with one signature. */
export interface TestModel {
  readonly nodes: readonly TestNode[];
  readonly functions?: Readonly<
    Record<string, { parameters?: readonly string[]; nodes: readonly TestNode[] }>
  >;
  /** The input tensors, keyed by their names in the signature. */
  readonly inputs: Readonly<Record<string, TestTensor>>;
  /** The output tensors, keyed by their names in the signature. */
  readonly outputs: Readonly<Record<string, TestTensor>>;
  readonly signature?: string;
  readonly tags?: readonly string[];
  readonly filename?: string;
  readonly restore?: string;
  readonly initializer?: string;
}

type Write = (writer: ProtoWriter) => void;

function message(write: Write): Uint8Array {
  const writer = new ProtoWriter();
  write(writer);
  return writer.finish();
}

function put(writer: ProtoWriter, field: number, value: string | Uint8Array | Write): void {
  writer.tag(field, WireType.lengthDelimited);
  if (typeof value === "string") writer.string(value);
  else writer.lengthDelimited(value instanceof Uint8Array ? value : message(value));
}

function entry(writer: ProtoWriter, field: number, key: string, value: Write): void {
  put(writer, field, (pair) => {
    put(pair, 1, key);
    put(pair, 2, value);
  });
}

const shape =
  (sizes: readonly number[]): Write =>
  (writer) => {
    for (const size of sizes)
      put(writer, 2, (dimension) => dimension.tag(1, WireType.varint).int64(BigInt(size)));
  };

const node =
  ({ name, op, inputs = [], calls, tensorShape }: TestNode): Write =>
  (writer) => {
    put(writer, 1, name);
    put(writer, 2, op);
    for (const input of inputs) put(writer, 3, input);
    if (calls !== undefined) {
      entry(writer, 5, "f", (attr) => put(attr, 10, (called) => put(called, 1, calls)));
    }
    if (tensorShape !== undefined) {
      entry(writer, 5, "value", (attr) => put(attr, 8, (tensor) => put(tensor, 2, shape(tensorShape))));
    }
  };

const tensorInfo =
  ([name, dtype, sizes]: TestTensor): Write =>
  (writer) => {
    put(writer, 1, name);
    writer.tag(2, WireType.varint).int64(BigInt(dtype));
    put(writer, 3, shape(sizes));
  };

/** Returns a function that encodes a `MetaGraphDef`. */
function metaGraph(model: TestModel): Write {
  const { nodes, functions = {}, inputs, outputs, signature = "serving_default" } = model;
  return (writer) => {
    put(writer, 1, (info) => (model.tags ?? ["serve"]).forEach((tag) => put(info, 4, tag)));
    put(writer, 2, (graph) => {
      for (const each of nodes) put(graph, 1, node(each));
      put(graph, 2, (library) => {
        for (const [name, { parameters = [], nodes: inside }] of Object.entries(functions)) {
          put(library, 1, (definition) => {
            put(definition, 1, (op) => {
              put(op, 1, name);
              for (const parameter of parameters) put(op, 2, (argument) => put(argument, 1, parameter));
            });
            for (const each of inside) put(definition, 3, node(each));
          });
        }
      });
    });
    put(writer, 3, (saver) => {
      put(saver, 1, model.filename ?? "");
      put(saver, 3, model.restore ?? "");
    });
    if (model.initializer !== undefined) {
      const { initializer } = model;
      entry(writer, 4, "saved_model_main_op", (collection) =>
        put(collection, 1, (list) => put(list, 1, initializer)),
      );
    }
    entry(writer, 5, signature, (definition) => {
      for (const [name, tensor] of Object.entries(inputs)) entry(definition, 1, name, tensorInfo(tensor));
      for (const [name, tensor] of Object.entries(outputs)) entry(definition, 2, name, tensorInfo(tensor));
    });
  };
}

/** Encodes `saved_model.pb` with a graph for each model. @see TensorFlow `saved_model.proto`, `meta_graph.proto` */
export function savedModelBytes(...models: readonly TestModel[]): Uint8Array {
  return message((writer) => models.forEach((model) => put(writer, 2, metaGraph(model))));
}
