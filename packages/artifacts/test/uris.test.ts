import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import {
  type Examples,
  examplesOf,
  localFiles,
  markForDeletion,
  publishExamples,
  sweep,
} from "../src/index.js";
import { splitFiles } from "../src/examples/split-files.js";
import { localPathOf, normalizeUri, placesOf } from "../src/uris.js";
import { temporaryFolder, temporaryStore } from "./temporary-store.js";

test.each([
  ["/a//b/./c/", "/a/b/c"],
  ["/a/../../b", "/b"],
  ["file:///a/b/", "/a/b"],
  ["FILE:///a", "/a"],
  ["file://localhost/a/../b", "/b"],
  ["file:///a%20b", "/a%20b"],
  ["a/../b", "b"],
])("the URI %s has the local path %s", (uri, expected) => {
  expect(localPathOf(uri)).toBe(expected);
});

test.each(["s3://bucket/a", "file://host/a", "file://localhostile/a", "gs://b/../a"])(
  "the URI %s has no local path",
  (uri) => {
    expect(localPathOf(uri)).toBeUndefined();
  },
);

test("normalizeUri keeps dot segments in object names, and drops repeated and trailing slashes", () => {
  expect(normalizeUri("s3://bucket//a/../b/")).toBe("s3://bucket/a/../b");
});

test("a percent-encoded file URL refers to both the literal path and the decoded path", () => {
  expect(placesOf("file:///a%20b")).toEqual(["/a%20b", "/a b"]);
  expect(placesOf("file:///x/%2e%2e/b")).toEqual(["/x/%2e%2e/b", "/b"]);
  expect(placesOf("file:///100%")).toEqual(["/100%"]);
  expect(placesOf("/a%20b")).toEqual(["/a%20b"]);
  expect(placesOf("s3://b/a%20b")).toEqual(["s3://b/a%20b"]);
});

test("a sweep keeps bytes that a live artifact refers to by an encoded file URL", async () => {
  const root = temporaryFolder();
  const store = await temporaryStore();
  const folder = path.join(root, "a b");
  mkdirSync(folder);
  const marked = publishExamples(store, { uri: folder, splitNames: [] });
  publishExamples(store, { uri: `file://${root}/a%20b`, splitNames: [] });
  markForDeletion(store, (artifacts) => artifacts.filter(({ id }) => id === marked.id));
  const { decisions } = await sweep(store, { files: localFiles(root) });
  expect(decisions).toMatchObject([{ uri: folder, action: "keep", reason: "REFERENCED" }]);
});

test("like TFX, splitFiles lists the folder of a file URL without decoding the URL; it rejects invalid URIs", async () => {
  const root = temporaryFolder();
  const store = await temporaryStore();
  const at = (uri: string): Examples => examplesOf(publishExamples(store, { uri, splitNames: ["train"] }));
  const split = path.join(root, "a%20b", "Split-train");
  mkdirSync(split, { recursive: true });
  writeFileSync(path.join(split, "data"), "");
  const [file] = await splitFiles(at(`file://localhost${root}/a%20b`), "train");
  expect(file).toMatch(/a%2520b\/Split-train\/data$/u);
  await expect(splitFiles(at(`file://${root}/a%2Fb`), "train")).rejects.toMatchObject({ code: "not-found" });
  for (const uri of ["", "file://host/a", "s3://bucket/{a,b}"]) {
    const hostile = { ...at("/a"), uri };
    await expect(splitFiles(hostile, "train")).rejects.toMatchObject({ code: "invalid-argument" });
  }
});

test("if a link leads to a missing file, splitFiles fails and names the link, because skipping it would lose rows", async () => {
  const root = temporaryFolder();
  const store = await temporaryStore();
  const examples = examplesOf(publishExamples(store, { uri: root, splitNames: ["train"] }));
  mkdirSync(path.join(root, "Split-train"));
  writeFileSync(path.join(root, "Split-train", "data-0"), "");
  const link = path.join(root, "Split-train", "data-1");
  symlinkSync(path.join(root, "missing"), link);
  await expect(splitFiles(examples, "train")).rejects.toMatchObject({
    code: "io-failed",
    reason: "file",
    uri: link,
  });
});
