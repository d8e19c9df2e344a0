import { ArgumentError } from "@tfxio/wire";
import { CONTRACT_VERSION, type Format, MIN_CONTRACT_VERSION } from "../format.js";
import type { FormatSpec } from "../format-spec.js";
import type { FormatReads } from "../read-request.js";

/** What each member of {@link FormatReads} may be. */
const READS = {
  filter: ["splits", "rows"],
  rawRecordColumn: [true],
  rowPositionColumn: [true],
  subdivide: [true],
  shuffle: [true],
  batchBytes: [true],
} as const satisfies Record<keyof FormatReads, readonly unknown[]>;

/**
 * @throws {ArgumentError} `invalid-argument` (`format-definition`) when `format` is not a Format, (`contract-version`)
 * when it targets a version of the contract that this one does not accept.
 */
export function assertFormat(format: unknown): asserts format is Format {
  const { id, contractVersion, extensions, open } = Object(format) as Partial<Format>;
  if (typeof id !== "string" || !Array.isArray(extensions) || typeof open !== "function") {
    throw badDefinition("format", `expected a Format, as defineFormat makes them; found ${String(format)}`);
  }
  assertContractVersion(id, contractVersion, "format");
}

/** @throws {ArgumentError} as {@link assertFormat}, naming the member. */
export function assertDefinition(spec: FormatSpec<object>): void {
  if (typeof spec !== "object" || spec === null) {
    throw badDefinition("spec", `expected an object that defines a format, found ${String(spec)}`);
  }
  const { id, defaults, columnForm } = spec;
  if (typeof id !== "string" || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    throw badDefinition("id", `a format's id is a kebab-case name such as "my-format", found "${id}"`);
  }
  assertContractVersion(id, spec.contractVersion, "contractVersion");
  assertExtensions(id, spec.extensions);
  if (typeof defaults !== "object" || defaults === null) {
    throw badDefinition("defaults", `${id}: defaults must be an object with a key for every option`);
  }
  if (columnForm !== undefined && columnForm !== "stored" && columnForm !== "lists") {
    throw badDefinition("columnForm", `${id}: columnForm must be "stored" or "lists", found "${columnForm}"`);
  }
  assertReads(id, spec.reads);
  if (typeof spec.open !== "function") throw badDefinition("open", `${id}: open must be a function`);
  for (const name of ["sniff", "openStream", "createWriter"] as const) {
    if (spec[name] !== undefined && typeof spec[name] !== "function") {
      throw badDefinition(name, `${id}: ${name} must be a function when present`);
    }
  }
}

function assertContractVersion(id: string, version: unknown, argument: string): void {
  const isKnown = typeof version === "number" && Number.isInteger(version);
  if (isKnown && version >= MIN_CONTRACT_VERSION && version <= CONTRACT_VERSION) return;
  const accepted =
    MIN_CONTRACT_VERSION === CONTRACT_VERSION
      ? `version ${CONTRACT_VERSION} is`
      : `versions ${MIN_CONTRACT_VERSION} to ${CONTRACT_VERSION} are`;
  throw new ArgumentError(
    "invalid-argument",
    `${id} targets version ${String(version)} of the format contract; only ${accepted} accepted.`,
    { reason: "contract-version", argument },
  );
}

function assertExtensions(id: string, extensions: unknown): void {
  if (!Array.isArray(extensions)) throw badDefinition("extensions", `${id}: extensions must be a list`);
  for (const extension of extensions as unknown[]) {
    if (typeof extension !== "string" || !/^(\.[a-z0-9_-]+)+$/.test(extension)) {
      throw badDefinition(
        "extensions",
        `${id}: an extension is lower case and begins with its dot, such as ".csv", found "${String(extension)}"`,
      );
    }
  }
  if (new Set(extensions).size !== extensions.length) {
    throw badDefinition("extensions", `${id}: an extension is listed twice in ${extensions.join(", ")}`);
  }
}

function assertReads(id: string, reads: unknown): void {
  if (reads === undefined) return;
  if (typeof reads !== "object" || reads === null)
    throw badDefinition("reads", `${id}: reads must be an object`);
  for (const [name, value] of Object.entries(reads)) {
    const allowed: readonly unknown[] | undefined = Object.hasOwn(READS, name)
      ? READS[name as keyof typeof READS]
      : undefined;
    if (allowed === undefined) {
      const known = Object.keys(READS).join(", ");
      throw badDefinition("reads", `${id}: reads has no member "${name}"; it has ${known}`);
    }
    if (value === undefined || allowed.includes(value)) continue;
    throw badDefinition(
      "reads",
      `${id}: reads.${name} must be ${allowed.join(" or ")}, found ${String(value)}`,
    );
  }
}

function badDefinition(argument: string, message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason: "format-definition", argument });
}
