import {
  aBoolean,
  aPositiveInteger,
  aString,
  assertOptions,
  oneOf,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { Database } from "../database.js";
import type { SqlValue } from "../drivers/driver.js";
import { NODE_TABLES } from "../node-kinds.js";
import type { NodeKind } from "../names.js";
import { safeInteger } from "../sql-values.js";
import { type CompiledFilter, compileFilter } from "./filter-query.js";

/** Options of `list`: the filter, the order and the limit. */
export interface ListOptions {
  /** An ML Metadata filter query, such as `state = LIVE AND contexts_a.name = 'run-1'`. Default: all nodes. */
  readonly filter?: string;
  /** Member to sort by. Default "id". Nodes with equal times are sorted by id in the same direction. */
  readonly orderBy?: "id" | "createTime" | "lastUpdateTime";
  /** True to sort in descending order. Default false. */
  readonly isDescending?: boolean;
  /** Maximum number of nodes. Default: all. */
  readonly limit?: number;
}

/** Options of `page`: the filter and order of {@link ListOptions}, the page size and the page token. */
export interface PageOptions extends Omit<ListOptions, "limit"> {
  /** Number of nodes per page. Default 20, as in ML Metadata. */
  readonly pageSize?: number;
  /** `nextPageToken` of the previous page. The filter and the order must be the same. Default: the first page. */
  readonly pageToken?: string;
}

/** One page of nodes. */
export interface Page<Node> {
  readonly nodes: readonly Node[];
  /** Pass it as `pageToken` to get the next page. Undefined on the last page. */
  readonly nextPageToken: string | undefined;
}

const COLUMNS = {
  id: "id",
  createTime: "create_time_since_epoch",
  lastUpdateTime: "last_update_time_since_epoch",
} as const;
const ORDER_RULES = {
  filter: aString,
  orderBy: oneOf(...Object.keys(COLUMNS)),
  isDescending: aBoolean,
} as const;
const NO_FILTER: CompiledFilter = { joins: "", condition: "TRUE", params: [] };

/**
 * Returns the ids of the matching nodes, in the requested order.
 * @throws {ArgumentError} `invalid-argument` (`filter-query`) for a filter that cannot be parsed.
 */
export function listIds(database: Database, kind: NodeKind, options: ListOptions): number[] {
  assertOptions(`${kind}s.list`, options, { ...ORDER_RULES, limit: aPositiveInteger });
  return select(database, kind, options, undefined, options.limit).map(({ id }) => id);
}

/**
 * Returns the ids of one page, and the token of the next page.
 * @throws {ArgumentError} `invalid-argument` (`filter-query`) for a filter that cannot be parsed, (`page-token`) for a token
 * that is malformed or comes from a call with another kind, filter or order.
 */
export function pageIds(
  database: Database,
  kind: NodeKind,
  options: PageOptions,
): { readonly ids: readonly number[]; readonly nextPageToken: string | undefined } {
  assertOptions(`${kind}s.page`, options, { ...ORDER_RULES, pageSize: aPositiveInteger, pageToken: aString });
  const { pageSize = 20, pageToken } = options;
  const request = JSON.stringify([
    kind,
    options.filter ?? "",
    options.orderBy ?? "id",
    options.isDescending ?? false,
  ]);
  const after = pageToken === undefined ? undefined : parseToken(pageToken, request);
  // Ask for one extra id, which shows whether there is a next page.
  const found = select(database, kind, options, after, pageSize + 1);
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  const hasMore = found.length > pageSize && last !== undefined;
  return { ids: page.map(({ id }) => id), nextPageToken: hasMore ? tokenOf(last, request) : undefined };
}

/** The position of a node in the order: its value in the sort column, and its id to break ties. */
interface Place {
  readonly id: number;
  readonly value: number;
}

function select(
  database: Database,
  kind: NodeKind,
  { filter = "", orderBy = "id", isDescending = false }: ListOptions,
  after: Place | undefined,
  limit = -1,
): Place[] {
  const { joins, condition, params } = filter === "" ? NO_FILTER : compileFilter(kind, filter);
  const column = `node.${COLUMNS[orderBy]}`;
  const direction = isDescending ? "DESC" : "ASC";
  const place: SqlValue[] = after === undefined ? [] : [BigInt(after.value), BigInt(after.id)];
  const threshold = after === undefined ? "" : ` AND (${column}, node.id) ${isDescending ? "<" : ">"} (?, ?)`;
  const rows = database.all(
    `SELECT DISTINCT node.id AS id, ${column} AS value FROM ${NODE_TABLES[kind].table} AS node ${joins} WHERE ${condition}${threshold} ORDER BY ${column} ${direction}, node.id ${direction} LIMIT ?`,
    ...params,
    ...place,
    BigInt(limit),
  );
  return rows.map(({ id, value }) => ({
    id: safeInteger(id, "id"),
    value: safeInteger(value, COLUMNS[orderBy]),
  }));
}

function tokenOf({ id, value }: Place, request: string): string {
  return Buffer.from(JSON.stringify({ id, value, request })).toString("base64url");
}

function parseToken(token: string, request: string): Place {
  try {
    const place = JSON.parse(Buffer.from(token, "base64url").toString()) as Place & {
      readonly request: string;
    };
    if (place.request === request && [place.id, place.value].every(Number.isSafeInteger)) return place;
  } catch {
    // A token that cannot be decoded gets the error below.
  }
  throw unusableArgument(
    "pageToken",
    "must be the nextPageToken of a page with the same filter, orderBy and isDescending",
    {
      reason: "page-token",
    },
  );
}
