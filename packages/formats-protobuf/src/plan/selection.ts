import type { MapKey } from "../kernels/typescript/keyed-values.js";
import type { FieldShape, MessageShape } from "./message-shape.js";

/** A selected column of a batch, or of a struct in a batch. */
export interface SelectedField {
  /** Name of the column: the field's name, `field[key]`, or `(full.name)` of an extension or of the type in an Any. */
  readonly name: string;
  readonly field: FieldShape;
  /**
   * Kind of the column: a field or extension, the value of one map key, or the message in an Any. For `"cast"`, `field` is
   * synthetic.
   */
  readonly kind: "field" | "key" | "cast";
  /** The key whose value is in the column. Present only for `"key"`. */
  readonly key?: MapKey;
  /** The selected part of the field's messages. For `"key"`, the selected part of the map's values. Absent for scalars. */
  readonly message?: SelectedMessage;
}

/** The selected part of a message. */
export interface SelectedMessage {
  readonly type: MessageShape;
  /** The selected fields, in the order of the columns. */
  readonly fields: readonly SelectedField[];
}
