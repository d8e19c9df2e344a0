import type { MapKey } from "../kernels/typescript/keyed-values.js";
import type { FieldShape, MessageShape } from "./message-shape.js";

/** A column of a batch, or of a struct in one. */
export interface SelectedField {
  /** Name of the column: the field's name, `field[key]`, or `(full.name)` of an extension or of the type in an Any. */
  readonly name: string;
  readonly field: FieldShape;
  /** `"cast"` is the message in an Any, for which `field` is synthetic. */
  readonly kind: "field" | "key" | "cast";
  /** For `"key"`: the key of the entry whose value is in the column. */
  readonly key?: MapKey;
  /** The selected part of a field with messages. For `"key"`, of the entry's value. */
  readonly message?: SelectedMessage;
}

/** The selected part of a message. */
export interface SelectedMessage {
  readonly type: MessageShape;
  /** In the order of the columns. */
  readonly fields: readonly SelectedField[];
}
