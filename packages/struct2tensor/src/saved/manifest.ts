import { UnsupportedError } from "@tfxio/wire";
import type { Json } from "../expression/json.js";
import type { ModelFormat } from "../models/model-files.js";
import type { QueryModel } from "../models/query-model.js";
import type { MessageFormat, MessageRules } from "../sources/message-rules.js";
import type { SourceMessages } from "../sources/query-source.js";
import { canonicalJson } from "./canonical-json.js";
import { sha256 } from "./digest.js";
import { malformed } from "./errors.js";
import { modelPathsFor } from "./model-directory.js";
import { type JsonObject, listIn, membersIn, readJsonFile, textIn } from "./read-json.js";

/** The file of a saved view that lists all other files with their digests. */
export const MANIFEST_FILE = "dataview.json";

/** Identifies a manifest of this package. */
const FORMAT = "tfxio.dataview";
/** Version of the format. Readers reject other major versions. */
const VERSION = { major: 1, minor: 0 };
/** Versions of the operator sets, keyed by name. Readers reject other versions. */
const OPSETS = { core: 1 };

/** The files of a saved view, keyed by path in its directory. */
export type DataViewFiles = ReadonlyMap<string, Uint8Array>;

/**
 * Encodes the manifest of these files.
 * @param messages the messages of a query. Undefined for a SavedModel, which accepts any records.
 */
export async function manifestBytes(
  files: DataViewFiles,
  messages: SourceMessages | undefined,
  models: readonly QueryModel[],
): Promise<Uint8Array> {
  const listed = await Promise.all(
    [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([path, bytes]) => ({
        path,
        bytes: bytes.length,
        sha256: await sha256(bytes),
      })),
  );
  const manifest = {
    format: FORMAT,
    version: VERSION,
    ...(messages === undefined ? { kind: "tf-saved-model" } : queryMembers(messages)),
    requires: requirementsOf(models.map((model) => model.format)),
    files: listed,
  } as const satisfies JsonObject;
  const digest = await digestOf(manifest, listed);
  return new TextEncoder().encode(canonicalJson({ ...manifest, digest }));
}

function queryMembers({ message, messageFormat, rules }: SourceMessages): JsonObject {
  return { kind: "expression", rootMessage: message, messageFormat, semantics: { ...rules }, opsets: OPSETS };
}

const REQUIREMENT_OF: Readonly<Record<ModelFormat, string>> = {
  "graph-model": "tfjs-graph-model",
  "layers-model": "tfjs-layers-model",
  "saved-model": "tf-saved-model",
};
const REQUIREMENTS: readonly string[] = Object.values(REQUIREMENT_OF).sort();

/** Returns the runtimes that a view requires in addition to this package, sorted by name. */
function requirementsOf(formats: readonly ModelFormat[]): readonly string[] {
  return [...new Set(formats.map((format) => REQUIREMENT_OF[format]))].sort();
}

interface ListedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Computes a SHA-256 over the names and digests of the files, followed by the manifest without its own digest. */
async function digestOf(manifest: Json, files: readonly ListedFile[]): Promise<string> {
  const lines = files.map(({ path, sha256: digest }) => `${path}\0${digest}\n`).join("");
  return sha256(lines + canonicalJson(manifest));
}

/** The content of a checked manifest: for a query, its message type, encoding and rules. */
export type ReadManifest =
  | ({ readonly kind: "expression" } & Omit<SourceMessages, "descriptor">)
  | { readonly kind: "tf-saved-model" };

const MEMBERS = ["format", "version", "kind", "requires", "files", "digest"] as const;

/**
 * Checks the version, kind and requirements of the manifest, then the files that it lists.
 * @param expected the files of each kind of view, sorted, without the manifest and the models.
 * @throws {RecordError} `malformed-payload`: `data-view`, `data-view-checksum`, `data-view-files`, `data-view-size`.
 * @throws {UnsupportedError} `unsupported`: `data-view-version`, `data-view-requires`.
 */
export async function readManifest(
  files: DataViewFiles,
  expected: Readonly<Record<ReadManifest["kind"], readonly string[]>>,
): Promise<ReadManifest> {
  const bytes = files.get(MANIFEST_FILE);
  if (bytes === undefined)
    throw malformed(
      MANIFEST_FILE,
      "it is missing, so the files are not a DataView, or were not written completely",
    );
  const json = readJsonFile(MANIFEST_FILE, bytes);
  if (json["format"] !== FORMAT)
    throw malformed(
      MANIFEST_FILE,
      `its format must be "${FORMAT}", found ${canonicalJson(json["format"] ?? null)}`,
    );
  assertVersion(json);
  const { kind } = json;
  if (kind === "tf-saved-model") {
    assertRequirements(json);
    await assertFiles(membersIn(MANIFEST_FILE, "the manifest", json, MEMBERS), files, expected[kind]);
    return { kind };
  }
  if (kind !== "expression")
    throw malformed(
      MANIFEST_FILE,
      `its kind must be "expression" or "tf-saved-model", found ${canonicalJson(kind ?? null)}`,
    );
  assertOperators(json);
  assertRequirements(json);
  const manifest = membersIn(MANIFEST_FILE, "the manifest", json, [
    ...MEMBERS,
    "rootMessage",
    "messageFormat",
    "semantics",
    "opsets",
  ]);
  await assertFiles(manifest, files, expected[kind]);
  return {
    kind,
    message: textIn(MANIFEST_FILE, "rootMessage", manifest.rootMessage),
    messageFormat: oneIn<MessageFormat>("messageFormat", manifest.messageFormat, ["binary", "text", "json"]),
    rules: readRules(manifest.semantics),
  };
}

/** Checks the major version. Called right after the check of `format`, because other versions may have other members. */
function assertVersion({ version }: JsonObject): void {
  const { major, minor } = membersIn(MANIFEST_FILE, "version", version, ["major", "minor"]);
  if (major === VERSION.major) return;
  throw unsupported(
    "data-view-version",
    `"version" must be ${VERSION.major}.x, found ${String(major)}.${String(minor)}`,
  );
}

function assertOperators({ opsets }: JsonObject): void {
  if (canonicalJson(opsets ?? null) === canonicalJson(OPSETS)) return;
  throw unsupported(
    "data-view-version",
    `"opsets" must be ${canonicalJson(OPSETS)}, found ${canonicalJson(opsets ?? null)}`,
  );
}

/** @throws {UnsupportedError} `unsupported` (`data-view-requires`) for a requirement that this package does not know. */
function assertRequirements({ requires }: JsonObject): void {
  const unknown = listIn(MANIFEST_FILE, '"requires"', requires, 1000).filter(
    (each) => !REQUIREMENTS.includes(each as string),
  );
  if (unknown.length > 0) {
    throw unsupported(
      "data-view-requires",
      `"requires" must list only ${REQUIREMENTS.join(", ")}; found ${unknown.map((each) => canonicalJson(each)).join(", ")}`,
    );
  }
}

/**
 * Checks that the manifest lists exactly the files of the view, with their lengths and digests. Then checks the manifest's own
 * digest.
 */
async function assertFiles(
  { files: listed, digest, ...rest }: Readonly<Record<"files" | "digest", Json>>,
  files: DataViewFiles,
  expected: readonly string[],
): Promise<void> {
  const list = listIn(MANIFEST_FILE, "files", listed, 1000).map((json, index) => {
    const what = `files[${index}]`;
    const { path, bytes, sha256: sum } = membersIn(MANIFEST_FILE, what, json, ["path", "bytes", "sha256"]);
    return { path: textIn(MANIFEST_FILE, `${what}.path`, path), bytes, sha256: sum } as ListedFile;
  });
  const names = list.map(({ path }) => path);
  const allowed = [...expected, ...modelPathsFor(names)].sort();
  if (names.join("\0") !== allowed.join("\0")) {
    throw malformed(
      MANIFEST_FILE,
      `it must list ${allowed.join(", ")}; found ${names.join(", ") || "none"}`,
      "data-view-files",
    );
  }
  const extra = [...files.keys()].find((name) => name !== MANIFEST_FILE && !allowed.includes(name));
  if (extra !== undefined) throw malformed(extra, "the manifest does not list this file", "data-view-files");
  for (const { path, bytes, sha256: sum } of list) {
    const found = files.get(path);
    if (found === undefined) throw malformed(path, "it is missing", "data-view-files");
    if (found.length !== bytes || (await sha256(found)) !== sum) {
      throw malformed(path, "its length and SHA-256 must equal those in the manifest", "data-view-checksum");
    }
  }
  if ((await digestOf({ ...rest, files: listed }, list)) !== digest) {
    throw malformed(
      MANIFEST_FILE,
      '"digest" must be the SHA-256 computed from the rest of the manifest',
      "data-view-checksum",
    );
  }
}

/** Reads the decoding rules. All of them must be present, so that a saved view does not depend on defaults. */
function readRules(json: Json): MessageRules {
  const rules = membersIn(MANIFEST_FILE, "semantics", json, [
    "onMalformed",
    "implicitDefaults",
    "singularMessage",
    "oneof",
    "anyEmptyValue",
  ]);
  if (typeof rules.implicitDefaults !== "boolean")
    throw malformed(MANIFEST_FILE, "implicitDefaults must be a boolean");
  return {
    implicitDefaults: rules.implicitDefaults,
    onMalformed: oneIn("onMalformed", rules.onMalformed, ["error", "skip", "null"]),
    singularMessage: oneIn("singularMessage", rules.singularMessage, ["merge", "last"]),
    oneof: oneIn("oneof", rules.oneof, ["last", "independent"]),
    anyEmptyValue: oneIn("anyEmptyValue", rules.anyEmptyValue, ["present", "absent"]),
  };
}

/** Returns the text if it is one of `texts`. @throws {RecordError} `malformed-payload` (`data-view`). */
function oneIn<Text extends string>(what: string, json: Json, texts: readonly Text[]): Text {
  const found = texts.find((text) => text === json);
  if (found !== undefined) return found;
  throw malformed(
    MANIFEST_FILE,
    `${what} must be ${texts.map((text) => `"${text}"`).join(" or ")}, found ${canonicalJson(json)}`,
  );
}

function unsupported(reason: string, problem: string): UnsupportedError {
  return new UnsupportedError(`${MANIFEST_FILE}: ${problem}.`, { reason, feature: "a DataView" });
}
