import {
  aList,
  aListOf,
  anObject,
  assertArgument,
  assertKeys,
  invalidArgument,
  oneOf,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { Database } from "./database.js";
import type { SqlRow } from "./drivers/driver.js";
import type { Event, EventInput, EventStep } from "./entities.js";
import { EVENT_TYPES, type EventType, nameOf } from "./names.js";
import { assertId, idList, safeInteger } from "./sql-values.js";
import { assertText } from "./values/value-errors.js";

/** The events of a store. They connect executions to their input and output artifacts. */
export interface EventStore {
  /**
   * Adds events in one transaction. `timeMs` defaults to now, `path` to `[]`.
   * @throws {ArgumentError} `invalid-argument` (`unknown-entity`) for unknown ids, (`already-exists`) for a second event
   * with the same artifact, execution and type.
   */
  put(events: readonly EventInput[]): void;
  /** Returns the events of the artifacts, ordered by artifact, execution and type. Events of unknown types are left out. */
  ofArtifacts(ids: readonly number[]): readonly Event[];
  /** Returns the events of the executions, ordered by artifact, execution and type. Events of unknown types are left out. */
  ofExecutions(ids: readonly number[]): readonly Event[];
}

export function eventStore(database: Database): EventStore {
  const select = (column: "artifact_id" | "execution_id", ids: readonly number[]): Event[] =>
    database.read(() => {
      const rows = database.all(
        `SELECT * FROM Event WHERE ${column} IN (SELECT value FROM json_each(?)) ORDER BY artifact_id, execution_id, type`,
        idList(ids),
      );
      const steps = database.all(
        // The table does not store the position of a step, so the order of insertion determines it.
        "SELECT * FROM EventPath WHERE event_id IN (SELECT value FROM json_each(?)) ORDER BY rowid",
        idList(rows.map(({ id }) => Number(id))),
      );
      const paths = byEvent(steps);
      return rows.flatMap((row) => {
        const type = nameOf(EVENT_TYPES, row["type"]);
        return type === undefined
          ? []
          : [eventOf(row, type, (paths.get(row["id"] as bigint) ?? []).map(stepOf))];
      });
    });
  return {
    ofArtifacts: (ids) => select("artifact_id", ids),
    ofExecutions: (ids) => select("execution_id", ids),
    put: (events) => {
      assertArgument("events", events, aListOf("a list of events", anObject));
      database.write(() => {
        for (const event of events) putEvent(database, event);
      });
    },
  };
}

function putEvent(database: Database, event: EventInput): void {
  const { artifactId, executionId, type, path = [], timeMs = Date.now() } = event;
  assertKeys("events.put", event, ["artifactId", "executionId", "type", "path", "timeMs"]);
  assertArgument("type", type, oneOf(...Object.keys(EVENT_TYPES)));
  assertArgument("path", path, aList);
  if (!Number.isSafeInteger(timeMs))
    throw invalidArgument("timeMs", "a whole number of milliseconds", timeMs);
  assertStored(database, "Artifact", artifactId);
  assertStored(database, "Execution", executionId);
  const id = database.insert(
    "INSERT INTO Event (artifact_id, execution_id, type, milliseconds_since_epoch) VALUES (?, ?, ?, ?)",
    BigInt(artifactId),
    BigInt(executionId),
    BigInt(EVENT_TYPES[type]),
    BigInt(timeMs),
  );
  for (const step of path) {
    const isIndex = typeof step === "number";
    if (isIndex ? !Number.isSafeInteger(step) : typeof step !== "string") {
      throw invalidArgument("path", "composed of names and integers", step);
    }
    if (!isIndex) assertText("path", step);
    database.run(
      "INSERT INTO EventPath (event_id, is_index_step, step_index, step_key) VALUES (?, ?, ?, ?)",
      BigInt(id),
      isIndex ? 1n : 0n,
      isIndex ? BigInt(step) : null,
      isIndex ? null : step,
    );
  }
}

/** Checks an id. @throws {ArgumentError} `invalid-argument` (`unknown-entity`) if the table has no row with this id. */
export function assertStored(
  database: Database,
  table: "Artifact" | "Execution" | "Context",
  id: number,
): void {
  const argument = `${table.toLowerCase()}Id`;
  assertId(argument, id);
  if (database.all(`SELECT id FROM ${table} WHERE id = ?`, BigInt(id)).length > 0) return;
  throw unusableArgument(argument, `must be the id of a stored ${table.toLowerCase()}, found ${id}`, {
    reason: "unknown-entity",
  });
}

function eventOf(row: SqlRow, type: EventType, path: readonly EventStep[]): Event {
  return {
    artifactId: safeInteger(row["artifact_id"], "Event.artifact_id"),
    executionId: safeInteger(row["execution_id"], "Event.execution_id"),
    type,
    path,
    timeMs: safeInteger(row["milliseconds_since_epoch"], "Event.milliseconds_since_epoch"),
  };
}

function stepOf(row: SqlRow): EventStep {
  return row["is_index_step"] === 1n
    ? safeInteger(row["step_index"], "EventPath.step_index")
    : ((row["step_key"] ?? "") as string);
}

function byEvent(steps: readonly SqlRow[]): Map<unknown, SqlRow[]> {
  const groups = new Map<unknown, SqlRow[]>();
  for (const step of steps) {
    const group = groups.get(step["event_id"]) ?? [];
    group.push(step);
    groups.set(step["event_id"], group);
  }
  return groups;
}
