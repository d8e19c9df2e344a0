import { child, children, type Module, type Node, unwrapped, walk } from "./syntax.js";

/** A function, and the name by which it is called. */
export interface FunctionDeclaration {
  readonly module: Module;
  readonly name: string;
  readonly node: Node;
}

/** The declaration of an identifier: a constant with its initial value, or a parameter of a function. */
export type Binding =
  | { readonly kind: "constant"; readonly value: Node; readonly property: string | undefined }
  | {
      readonly kind: "parameter";
      readonly of: FunctionDeclaration;
      readonly index: number;
      /** Property that a destructured parameter reads from its argument; undefined for a plain parameter. */
      readonly property: string | undefined;
      /** Default value, if any. */
      readonly initial: Node | undefined;
    };

/** A call, with the module that contains it. */
export interface Call {
  readonly module: Module;
  readonly node: Node;
}

/** The declarations and calls of all modules. */
export interface Declarations {
  /** Returns the declaration of an identifier; undefined if it is neither a constant nor a parameter of a named function. */
  readonly bindingOf: (module: Module, identifier: Node) => Binding | undefined;
  /**
   * Returns the function that `name` means in `module`. Searches the module, then its package, then all exported functions, and
   * stops as soon as it finds functions with this name. Returns undefined if the search finds no function, or more than one.
   */
  readonly functionNamed: (module: Module, name: string) => FunctionDeclaration | undefined;
  /** Returns the calls of a function, found by its name. */
  readonly callsOf: (declared: FunctionDeclaration) => readonly Call[];
}

// swc numbers the scopes of a file, so a name and a scope number identify a variable.
function keyOf(module: Module, identifier: Node): string {
  return `${module.file} ${String(identifier["value"])} ${String(identifier["ctxt"])}`;
}

/** Returns the name of a function or member. The names of private members start with `#`. */
function nameOf(key: Node | undefined): string | undefined {
  const name = key?.["value"];
  if (typeof name !== "string") return undefined;
  return key?.["type"] === "PrivateName" ? `#${name}` : name;
}

/** Returns the name of the called function: `f` for `f()` and `a.f()`, `#f` for `this.#f()`. */
export function calledName(call: Node): string | undefined {
  const callee = unwrapped(child(call, "callee"));
  return nameOf(callee?.["type"] === "MemberExpression" ? child(callee, "property") : callee);
}

interface Pattern {
  readonly identifier: Node;
  readonly property: string | undefined;
  readonly initial: Node | undefined;
}

/** Returns the identifiers that a pattern declares, except in arrays. In nested objects, `property` is the innermost name. */
function patternsOf(pattern: Node | undefined, property?: string, initial?: Node): readonly Pattern[] {
  switch (pattern?.["type"]) {
    case "Identifier":
      return [{ identifier: pattern, property, initial }];
    case "AssignmentPattern":
      return patternsOf(child(pattern, "left"), property, child(pattern, "right"));
    case "ObjectPattern":
      return children(pattern, "properties").flatMap((each) => {
        const key = child(each, "key");
        const name = typeof key?.["value"] === "string" ? key["value"] : undefined;
        if (key === undefined || name === undefined) return [];
        return each["type"] === "AssignmentPatternProperty"
          ? [{ identifier: key, property: name, initial: child(each, "value") }]
          : patternsOf(child(each, "value"), name);
      });
    default:
      return [];
  }
}

/** Returns the named function that a node declares, or undefined if it declares none. */
function functionIn(node: Node): { readonly name: string; readonly node: Node } | undefined {
  const named = (key: Node | undefined, declared: Node | undefined) => {
    const name = nameOf(key);
    return name === undefined || declared === undefined ? undefined : { name, node: declared };
  };
  switch (node["type"]) {
    case "FunctionDeclaration":
      return named(child(node, "identifier"), node);
    case "ClassMethod":
    case "PrivateMethod":
      return named(child(node, "key"), child(node, "function"));
    case "MethodProperty":
      return named(child(node, "key"), node);
    case "VariableDeclarator":
    case "KeyValueProperty": {
      const value = unwrapped(child(node, "init") ?? child(node, "value"));
      const isFunction = /^(ArrowFunction|Function)Expression$/.test(String(value?.["type"]));
      return isFunction ? named(child(node, "id") ?? child(node, "key"), value) : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns the folder of a module's package, such as `packages/wire`. */
function packageOf(module: Module): string {
  return module.file.split("/").slice(0, 2).join("/");
}

/** Returns the exported functions, which other packages may call. */
function exportedNodes(modules: readonly Module[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const node of modules.flatMap((module) => module.body)) {
    const declaration = node["type"] === "ExportDeclaration" ? child(node, "declaration") : undefined;
    if (declaration === undefined) continue;
    for (const each of [declaration, ...children(declaration, "declarations")]) {
      const declared = functionIn(each);
      if (declared !== undefined) found.add(declared.node);
    }
  }
  return found;
}

/** Collects the declarations and calls of all modules. */
export function collectDeclarations(modules: readonly Module[]): Declarations {
  const bindings = new Map<string, Binding>();
  const functions = new Map<string, FunctionDeclaration[]>();
  const calls = new Map<string, Call[]>();
  for (const module of modules) {
    walk(module.body, (node) => {
      const found = functionIn(node);
      if (found !== undefined) {
        const declared = { module, ...found };
        functions.set(found.name, [...(functions.get(found.name) ?? []), declared]);
        for (const [index, parameter] of children(found.node, "params").entries()) {
          for (const { identifier, ...rest } of patternsOf(child(parameter, "pat") ?? parameter)) {
            bindings.set(keyOf(module, identifier), { kind: "parameter", of: declared, index, ...rest });
          }
        }
      }
      if (node["type"] === "VariableDeclaration" && node["kind"] === "const") {
        for (const declarator of children(node, "declarations")) {
          const value = child(declarator, "init");
          for (const { identifier, property } of patternsOf(child(declarator, "id"))) {
            if (value !== undefined) {
              bindings.set(keyOf(module, identifier), { kind: "constant", value, property });
            }
          }
        }
      }
      if (node["type"] === "CallExpression") {
        const name = calledName(node);
        if (name !== undefined) calls.set(name, [...(calls.get(name) ?? []), { module, node }]);
      }
    });
  }
  const exported = exportedNodes(modules);
  const nearest = (module: Module, name: string): readonly FunctionDeclaration[] => {
    const all = functions.get(name) ?? [];
    const here = all.filter((each) => each.module === module);
    const inPackage = all.filter((each) => packageOf(each.module) === packageOf(module));
    const elsewhere = all.filter((each) => exported.has(each.node));
    return [here, inPackage, elsewhere].find((some) => some.length > 0) ?? [];
  };
  return {
    bindingOf: (module, identifier) => bindings.get(keyOf(module, identifier)),
    functionNamed: (module, name) => {
      const found = nearest(module, name);
      return found.length === 1 ? found[0] : undefined;
    },
    callsOf: (declared) =>
      (calls.get(declared.name) ?? []).filter(({ module }) =>
        nearest(module, declared.name).includes(declared),
      ),
  };
}
