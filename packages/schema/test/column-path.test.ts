import { describe, expect, test } from "@jest/globals";
import { ColumnPath } from "../src/index.js";

describe("ColumnPath", () => {
  const path = ColumnPath.of("this", "is", "my", "path");

  test("has the same parent, child, prefix and suffix as in tfx_bsl", () => {
    expect(path.initialStep()).toBe("this");
    expect(path.parent().steps).toEqual(["this", "is", "my"]);
    expect(path.child("step").steps).toEqual(["this", "is", "my", "path", "step"]);
    expect(path.prefix(2).steps).toEqual(["this", "is"]);
    expect(path.suffix(2).steps).toEqual(["my", "path"]);
    expect(path.prefix(-1).equals(path.parent())).toBe(true);
    expect(path.length).toBe(4);
    expect(path.toString()).toBe("this.is.my.path");
  });

  test("converts to and from TFMD's Path", () => {
    expect(path.toProto().step).toEqual(["this", "is", "my", "path"]);
    expect(ColumnPath.fromProto(path.toProto()).equals(path)).toBe(true);
  });

  test("has no parent and no initial step at the root", () => {
    const root = new ColumnPath([]);
    const rejection = expect.objectContaining({ code: "invalid-argument", reason: "empty-path" });
    expect(() => root.parent()).toThrow(rejection);
    expect(() => root.initialStep()).toThrow(rejection);
    expect(root.toString()).toBe("");
    expect(ColumnPath.parse("").length).toBe(0);
  });

  test("does not change when the array passed to the constructor changes", () => {
    const steps = ["a"];
    const made = new ColumnPath(steps);
    steps.push("b");
    expect(made.steps).toEqual(["a"]);
    expect(Object.isFrozen(made.steps)).toBe(true);
  });

  // The notation of TFDV's anomalies (AnomalyNameFormat SERIALIZED_PATH).
  test.each([
    [["a.b", "c"], "'a.b'.c"],
    [["it's"], "'it''s'"],
    [[""], "''"],
    [["", ""], "''.''"],
    [["(my.ext)", "x"], "(my.ext).x"],
    [["f(x)"], "'f(x)'"],
    [["##SEQUENCE##", "wörter"], "##SEQUENCE##.wörter"],
  ])("writes %j as %s, and parses the text back", (steps, text) => {
    expect(new ColumnPath(steps).toString()).toBe(text);
    expect(ColumnPath.parse(text).steps).toEqual(steps);
  });

  test.each(["a.", ".a", "a..b", "'a", "a'b", "'a'b", "a(b", "(a"])("rejects the text %s", (text) => {
    expect(() => ColumnPath.parse(text)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "column-path" }),
    );
  });

  test("sorts step by step, in the byte order of UTF-8, with prefixes first", () => {
    const sorted = [["a"], ["a", "b"], ["a", "b", "c"], ["a!"], ["b"], ["\uffee"], ["\u{1f600}"]];
    const shuffled = sorted.toReversed().map((steps) => new ColumnPath(steps));
    expect(shuffled.sort(ColumnPath.compare).map(({ steps }) => steps)).toEqual(sorted);
  });
});
