import { type Call, calledName, type Declarations, type FunctionDeclaration } from "./declarations.js";
import { child, children, type Module, type Node, unwrapped, walk } from "./syntax.js";

/** The choices that lead to one message. A choice is a call of a function, or the outcome of a condition, for example. */
export interface World {
  /** The chosen call of each function. Undefined stands for all calls that pass no literal words for the evaluated parameter. */
  readonly calls: ReadonlyMap<Node, { readonly call: Call; readonly world: World } | undefined>;
  /** Indices of the other choices, by key. Each is the outcome of a condition, an entry of a table, or a returned value. */
  readonly choices: ReadonlyMap<string, number>;
}

/** Thrown if an expression has several possible values. The caller must evaluate it again in each of `worlds`. */
export class Fork {
  constructor(readonly worlds: readonly World[]) {}
}

/** Text with a `{name}` placeholder for each value that is known only at run time. */
export interface Text {
  readonly text: string;
  /** False if the text contains only placeholders and whitespace. */
  readonly isKnown: boolean;
}

/** Beyond this depth of nesting, the evaluator follows no more calls and returns placeholders. This also ends recursion. */
const MAX_DEPTH = 12;
/** The value of an optional parameter that the caller omits. */
const LEFT_OUT: Text = { text: "{undefined}", isKnown: false };

/** Returns the placeholder for a value that is known only at run time. */
function placeholder(name: string): Text {
  return { text: `{${name}}`, isKnown: false };
}

/** Creates an evaluator of the expressions in error messages. It reads only the syntax tree, and runs no code. */
export function createEvaluator(declarations: Declarations) {
  /**
   * Returns the index that `world` chose for `key`.
   * @throws {Fork} with one world for each index below `count` if `world` chose none.
   */
  function choose(world: World, key: string, count: number): number {
    const chosen = world.choices.get(key);
    if (chosen !== undefined) return chosen;
    throw new Fork(
      Array.from({ length: count }, (_, choice) => ({
        ...world,
        choices: new Map([...world.choices, [key, choice]]),
      })),
    );
  }

  /** Returns the value of property `name` in an object expression, or undefined if it has no such property. */
  function propertyOf(object: Node | undefined, name: string): Node | undefined {
    for (const each of children(unwrapped(object), "properties")) {
      if (each["type"] === "Identifier" && each["value"] === name) return each;
      if (each["type"] === "KeyValueProperty" && child(each, "key")?.["value"] === name)
        return child(each, "value");
    }
    return undefined;
  }

  function argumentOf(call: Call, index: number, property: string | undefined): Node | undefined {
    const argument = unwrapped(child(children(call.node, "arguments")[index], "expression"));
    return property === undefined ? argument : propertyOf(argument, property);
  }

  /**
   * Returns true if a call passes no argument for a parameter. A property that {@link argumentOf} does not find also counts
   * as left out, unless a spread in the argument may contain it.
   */
  function isLeftOut(call: Call, index: number, property: string | undefined): boolean {
    const argument = unwrapped(child(children(call.node, "arguments")[index], "expression"));
    if (argument === undefined || property === undefined) return argument === undefined;
    return !children(argument, "properties").some((each) => each["type"] === "SpreadElement");
  }

  /** Evaluates a name: a constant to its value, and a parameter to its argument in the chosen call. */
  function identifier(module: Module, node: Node, world: World, isWhole: boolean, depth: number): Text {
    const name = String(node["value"]);
    const binding = declarations.bindingOf(module, node);
    if (binding === undefined) return placeholder(name);
    if (binding.kind === "constant") {
      const value =
        binding.property === undefined ? binding.value : propertyOf(binding.value, binding.property);
      const text = value === undefined ? undefined : evaluate(module, value, world, isWhole, depth + 1);
      return text?.isKnown === true ? text : placeholder(name);
    }
    const { of, index, property, initial } = binding;
    const valueAt = ({ call, world: outer }: { readonly call: Call; readonly world: World }): Text => {
      const argument = argumentOf(call, index, property);
      if (argument !== undefined) return evaluate(call.module, argument, outer, isWhole, depth + 1);
      if (!isLeftOut(call, index, property)) return placeholder(name);
      return initial === undefined ? LEFT_OUT : evaluate(module, initial, world, isWhole, depth + 1);
    };
    if (world.calls.has(of.node)) {
      const bound = world.calls.get(of.node);
      const text = bound === undefined ? undefined : inCall(bound, world, of.node, valueAt);
      return text?.isKnown === true || (isWhole && text === LEFT_OUT) ? text : placeholder(name);
    }
    const calls = declarations.callsOf(of);
    const worthwhile = calls.filter((call) => isWhole || hasWords(argumentOf(call, index, property)));
    if (depth > MAX_DEPTH || worthwhile.length === 0) return placeholder(name);
    const bind = (call: Call | undefined): World => ({
      ...world,
      calls: new Map([
        ...world.calls,
        [of.node, call && { call, world: { calls: without(world.calls, of.node), choices: new Map() } }],
      ]),
    });
    throw new Fork([
      ...worthwhile.map(bind),
      ...(worthwhile.length < calls.length && !isWhole ? [bind(undefined)] : []),
    ]);
  }

  /** Calls `evaluateThere` for the world of a caller. Turns a Fork of that world into a corresponding Fork of `world`. */
  function inCall<Value>(
    bound: { readonly call: Call; readonly world: World },
    world: World,
    declared: Node,
    evaluateThere: (bound: { readonly call: Call; readonly world: World }) => Value,
  ): Value {
    try {
      return evaluateThere(bound);
    } catch (fork) {
      if (!(fork instanceof Fork)) throw fork;
      throw new Fork(
        fork.worlds.map((outer) => ({
          ...world,
          calls: new Map([...world.calls, [declared, { call: bound.call, world: outer }]]),
        })),
      );
    }
  }

  /** Returns the expressions that a function, or a function inside it, may return. */
  function returned(declared: FunctionDeclaration): readonly Node[] {
    const body = child(declared.node, "body");
    if (body === undefined) return [];
    if (body["type"] !== "BlockStatement" && body["type"] !== "FunctionBody") return [body];
    const found: Node[] = [];
    walk(body, (node) => {
      const value = node["type"] === "ReturnStatement" ? child(node, "argument") : undefined;
      if (value !== undefined) found.push(value);
    });
    return found;
  }

  /** Evaluates a call of a known function to one of its returned values. A call of `trim` evaluates to the untrimmed text. */
  function callText(module: Module, node: Node, world: World, depth: number): Text {
    const name = calledName(node) ?? "value";
    const callee = unwrapped(child(node, "callee"));
    const isTrim = callee?.["type"] === "MemberExpression" && name.startsWith("trim");
    if (isTrim) return evaluate(module, callee["object"] as Node, world, true, depth + 1);
    const declared = callee?.["type"] === "Identifier" ? declarations.functionNamed(module, name) : undefined;
    const values = declared === undefined ? [] : returned(declared);
    if (
      declared === undefined ||
      values.length === 0 ||
      depth > MAX_DEPTH ||
      world.calls.has(declared.node)
    ) {
      return placeholder(name);
    }
    const value = values[values.length === 1 ? 0 : choose(world, `returns of ${name}`, values.length)];
    if (value === undefined) return placeholder(name);
    const inner: World = {
      ...world,
      calls: new Map([...world.calls, [declared.node, { call: { module, node }, world }]]),
    };
    try {
      return evaluate(declared.module, value, inner, false, depth + 1);
    } catch (fork) {
      if (!(fork instanceof Fork)) throw fork;
      throw new Fork(fork.worlds.map((each) => ({ ...each, calls: without(each.calls, declared.node) })));
    }
  }

  /**
   * Evaluates a member of a constant table. If the key is computed, as in `table[key]`, every entry is a possible value.
   */
  function member(module: Module, node: Node, world: World, isWhole: boolean, depth: number): Text {
    const property = child(node, "property");
    const object = unwrapped(child(node, "object"));
    const binding = object?.["type"] === "Identifier" ? declarations.bindingOf(module, object) : undefined;
    if (binding?.kind !== "constant") {
      return placeholder(String(property?.["value"] ?? module.textOf(node)));
    }
    const value = unwrapped(binding.value);
    if (property?.["type"] === "Identifier") {
      const found = propertyOf(value, String(property["value"]));
      const text = found === undefined ? undefined : evaluate(module, found, world, isWhole, depth + 1);
      return text?.isKnown === true ? text : placeholder(String(property["value"]));
    }
    const entries = [
      ...children(value, "properties").map((each) => child(each, "value")),
      ...children(value, "elements").map((each) => child(each, "expression")),
    ].filter((each) => each !== undefined);
    if (entries.length === 0) return placeholder(module.textOf(node));
    const entry = entries[choose(world, `${module.file} ${module.textOf(node)}`, entries.length)];
    return entry === undefined
      ? placeholder(module.textOf(node))
      : evaluate(module, entry, world, isWhole, depth + 1);
  }

  function concatenated(parts: readonly Text[]): Text {
    return {
      text: parts.map(({ text }) => text).join(""),
      isKnown: parts.some(({ isKnown, text }) => isKnown && text.trim() !== ""),
    };
  }

  /** Evaluates an expression. @param isWhole True for a whole message, code or reason; false for a part of a message. */
  function evaluate(module: Module, expression: Node, world: World, isWhole: boolean, depth = 0): Text {
    const node = unwrapped(expression) ?? expression;
    const part = (each: Node | undefined, whole = false): Text =>
      each === undefined ? placeholder("value") : evaluate(module, each, world, whole, depth + 1);
    switch (node["type"]) {
      case "StringLiteral":
        return { text: String(node["value"]), isKnown: true };
      case "TemplateLiteral": {
        const values = children(node, "expressions");
        const texts = children(node, "quasis").flatMap((quasi, index) => [
          { text: String(quasi["cooked"]), isKnown: true },
          ...(index < values.length ? [part(values[index], isAlone(node))] : []),
        ]);
        return concatenated(texts);
      }
      case "BinaryExpression":
        if (node["operator"] === "+" && hasWords(node)) {
          return concatenated([part(child(node, "left")), part(child(node, "right"))]);
        }
        if (node["operator"] === "??") return part(child(node, "left"), isWhole);
        return placeholder(module.textOf(node));
      case "ConditionalExpression": {
        const test = module.textOf(child(node, "test") ?? node);
        const isNegated = / !== /.test(test);
        const side = choose(world, `${module.file} ${test.replace(" !== ", " === ")}`, 2);
        return part(child(node, (side === 0) === isNegated ? "alternate" : "consequent"), isWhole);
      }
      case "Identifier":
        return identifier(module, node, world, isWhole, depth);
      case "MemberExpression":
        return node["property"] === undefined
          ? placeholder("value")
          : member(module, node, world, isWhole, depth);
      case "CallExpression":
        return callText(module, node, world, depth);
      default:
        return placeholder(module.textOf(node));
    }
  }

  return { evaluate, propertyOf };
}

/** Returns true if a template has no text except whitespace. */
function isAlone(template: Node): boolean {
  return children(template, "quasis").every((quasi) => String(quasi["cooked"]).trim() === "");
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  return new Map([...map].filter(([each]) => each !== key));
}

/** Returns true if a literal in an expression has a space between or beside words. Such a literal is part of a message. */
function hasWords(node: Node | undefined): boolean {
  let found = false;
  walk(node === undefined ? [] : [node], (each) => {
    const text =
      each["type"] === "StringLiteral" ? each["value"] : each["type"] === "TemplateElement" && each["cooked"];
    if (typeof text === "string" && /[a-z] [a-z]|[a-z] $|^ [a-z]/i.test(text)) found = true;
  });
  return found;
}
