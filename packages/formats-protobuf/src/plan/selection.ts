import type { MapKey } from "../kernels/typescript/keyed-values.js";
import type { FieldShape, MessageShape } from "./message-shape.js";

/** A column of a batch, or of a struct in one. */
export interface SelectedField {
  /** Name of the column: that of the field, `field[key]`, or `(full.name)` of an extension or of the type in an Any. */
  readonly name: string;
  readonly field: FieldShape;
  /** `"cast"`: the message in an Any; `field` is then made up. */
  readonly kind: "field" | "key" | "cast";
  /** Of `"key"`: the entry whose value the column has. */
  readonly key?: MapKey;
  /** Of fields that hold messages. For `"key"`, what the value is. */
  readonly message?: SelectedMessage;
}

/** The selected part of a message. */
export interface SelectedMessage {
  readonly type: MessageShape;
  /** In the order of the columns. */
  readonly fields: readonly SelectedField[];
}
