import { beginMessage } from "./begin-message.js";
import type { Column } from "./column.js";
import { Encoding } from "../encoding.js";
import { MAP_KEY } from "./keyed-values.js";
import { actionOf, type KeyedMap, type KeyedValue, type MessagePlan, MessageRole } from "./message-plan.js";

/** Field number of the type id in the items of a MessageSet. @see protobuf `message_set.proto` */
export const MESSAGE_SET_TYPE_ID = 2;
/** Field number of the message in the items of a MessageSet. */
export const MESSAGE_SET_MESSAGE = 3;

/**
 * Chooses the next pass over a message that needs several. If some keys of a map have their own columns, an entry of the map
 * is first read for its key. If the key is one of them, the entry is read again for its value. If all entries are also
 * requested, the entry is read once more as a whole. A MessageSet item is read for its type id, then for its message.
 */
export class BeginPass {
  /** Start of the next pass. `start`, `end` and `item` are valid once {@link after} has returned a plan. */
  start = 0;
  /** End of the next pass, exclusive. */
  end = 0;
  /** Index of the message that the next pass fills. */
  item = 0;

  /** Begins the first pass over an entry of a map. Returns the plan of this pass. */
  scanKey({ scan, scanned }: KeyedMap): MessagePlan {
    scanned.truncate(0);
    scan.notes?.begin(0);
    return scan;
  }

  /** Begins the first pass over an item of a MessageSet. Returns the plan of this pass. */
  scanItem(plan: MessagePlan): MessagePlan {
    plan.columns[0]!.truncate(0);
    plan.notes!.begin(0);
    return plan;
  }

  /**
   * Returns the plan of the next pass over a message that has ended. Null if decoding continues in `parent`. The message has
   * index `item` in the plan `ended`, and occupies the bytes from `start` to `end`, exclusive. Also fills in the default of a
   * missing map key or value.
   */
  after(
    ended: MessagePlan,
    item: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    parentItem: number,
    parent: MessagePlan,
  ): MessagePlan | null {
    this.start = start;
    this.end = end;
    this.item = parentItem;
    switch (ended.role) {
      case MessageRole.entry:
        for (const column of ended.columns) column.setDefault(item);
        return null;
      case MessageRole.keyScan: {
        const keyed = ended.keyed!;
        const chosen = chosenValue(ended, keyed, bytes);
        if (chosen === undefined) return this.#entry(keyed, parentItem);
        if (chosen.column.lastParent === parentItem) chosen.column.truncate(parentItem);
        return chosen.pass;
      }
      case MessageRole.keyedValue:
        ended.keyedValue!.column.setDefault(parentItem);
        return this.#entry(ended.keyed!, parentItem);
      case MessageRole.messageSetItem:
        return this.#messageSetItem(ended, parent, parentItem);
      default:
        return null;
    }
  }

  /** Begins the pass that reads a map entry into the column of all entries, if that column is requested. */
  #entry({ entries, entry }: KeyedMap, parentItem: number): MessagePlan | null {
    if (entries === null) return null;
    this.item = entries.itemOf(parentItem);
    return entry;
  }

  /** Begins the pass over the message of a MessageSet item, if its type is requested. */
  #messageSetItem(ended: MessagePlan, parent: MessagePlan, parentItem: number): MessagePlan | null {
    const [typeId] = ended.columns as readonly [Column];
    const notes = ended.notes!;
    const start = notes.start(0, MESSAGE_SET_MESSAGE);
    if (typeId.numItems === 0 || start < 0) return null;
    const action = actionOf(parent, typeId.words[0]! >>> 0);
    if (action === undefined || action.column === null || action.encoding !== Encoding.message) return null;
    this.start = start;
    this.end = notes.end(0, MESSAGE_SET_MESSAGE);
    this.item = beginMessage(action, action.column, parentItem);
    return action.message;
  }
}

/** Returns the value for the key that the scan found. An entry without a key has the default key. */
function chosenValue(scan: MessagePlan, keyed: KeyedMap, bytes: Uint8Array): KeyedValue | undefined {
  const { notes } = scan;
  if (notes === null) return keyed.values.ofInteger(keyed.scanned);
  const start = Math.max(0, notes.start(0, MAP_KEY));
  return keyed.values.ofBytes(bytes, start, Math.max(start, notes.end(0, MAP_KEY)));
}
