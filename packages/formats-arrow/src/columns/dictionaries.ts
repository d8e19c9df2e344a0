import { type Data, Vector } from "apache-arrow";
import type { FlatPlace } from "../flatbuffer/flat-table.js";
import { damaged } from "../metadata/damage.js";

/** The dictionaries of a source, with their values as of the current message. */
export class Dictionaries {
  readonly #vectors = new Map<number, Vector>();

  /** Returns the values of a dictionary. @throws {RecordError} `corrupt-record` (`dictionary`) if they have not been sent. */
  get(id: number, place: FlatPlace): Vector {
    const found = this.#vectors.get(id);
    if (found === undefined)
      throw damaged(place, `it uses dictionary ${id}, whose values are missing`, "dictionary");
    return found;
  }

  has(id: number): boolean {
    return this.#vectors.has(id);
  }

  set(id: number, values: Data): void {
    this.#vectors.set(id, new Vector([values]));
  }

  /** Appends values to a dictionary. Earlier batches keep the shorter dictionary. @throws The errors of {@link get}. */
  append(id: number, values: Data, place: FlatPlace): void {
    this.#vectors.set(id, this.get(id, place).concat(new Vector([values])));
  }
}
