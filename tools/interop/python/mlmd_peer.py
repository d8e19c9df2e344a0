"""Uses ML Metadata's Python client on a store, and prints the result as JSON.

mlmd_peer.py tables FILE: for each table, whether its columns and indices are those that the client creates.
mlmd_peer.py dump FILE: the content of the store.
mlmd_peer.py apply FILE OPERATIONS: performs the calls in the JSON file OPERATIONS. Prints the ids that each call returned, or
  "rejected" if the client rejected the call.
mlmd_peer.py write FILE NAME COUNT: adds COUNT artifacts, whose names start with NAME.
"""

import json
import os
import sqlite3
import sys
import tempfile

from google.protobuf import json_format
from ml_metadata import errors
from ml_metadata.metadata_store import metadata_store
from ml_metadata.proto import metadata_store_pb2 as pb

command, file, *rest = sys.argv[1:]


def client(path):
    config = pb.ConnectionConfig()
    config.sqlite.filename_uri = path
    config.sqlite.connection_mode = pb.SqliteMetadataSourceConfig.READWRITE_OPENCREATE
    config.retry_options.max_num_retries = 20
    return metadata_store.MetadataStore(config)


def facts(path):
    """Returns the columns and indices of each table, and whether its key is AUTOINCREMENT, as SQLite reports them."""
    database, tables = sqlite3.connect(path), {}
    names = "select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'"
    for table, sql in database.execute(names).fetchall():
        columns = [row[1:] for row in database.execute(f"pragma table_info(`{table}`)")]
        indices = sorted(
            [row[1] if row[3] == "c" else "", row[2], row[3], row[4]]
            + [column[2] for column in database.execute(f"pragma index_info(`{row[1]}`)")]
            for row in database.execute(f"pragma index_list(`{table}`)")
        )
        tables[table] = [columns, indices, "AUTOINCREMENT" in sql.upper()]
    database.close()
    return tables


def tables():
    client(file)  # Raises an error if the tables fail the client's checks.
    with tempfile.TemporaryDirectory() as folder:
        own = os.path.join(folder, "own.sqlite")
        client(own)
        expected, found = facts(own), facts(file)
        return {name: found.get(name) == expected.get(name) for name in sorted({*expected, *found})}


def plain(message):
    """Converts a message to proto JSON. A proto_value becomes its type URL and base64, because its message type is unknown."""
    values = {}
    for group in ("properties", "custom_properties"):
        for name, value in getattr(message, group, {}).items() if group in message.DESCRIPTOR.fields_by_name else ():
            if isinstance(value, pb.Value) and value.HasField("proto_value"):
                values[group, name] = value.proto_value
    bare = type(message)()
    bare.CopyFrom(message)
    for group, name in values:
        getattr(bare, group)[name].ClearField("proto_value")
    result = json_format.MessageToDict(bare, preserving_proto_field_name=True)
    for (group, name), value in values.items():
        encoded = json_format.MessageToDict(_bytes(value.value))
        result.setdefault(group, {})[name] = {"proto_value": {"typeUrl": value.type_url, "valueB64": encoded}}
    return result


def _bytes(value):
    from google.protobuf import wrappers_pb2

    return wrappers_pb2.BytesValue(value=value)


def dump():
    store = client(file)
    artifacts, executions, contexts = store.get_artifacts(), store.get_executions(), store.get_contexts()
    ids = lambda nodes: [node.id for node in nodes]
    events = store.get_events_by_artifact_ids(ids(artifacts)) if artifacts else []
    events.sort(key=lambda event: (event.artifact_id, event.execution_id, event.type))
    related = lambda method, nodes: [pair for node in nodes for pair in pairs(method, node)]

    def pairs(method, node):
        try:
            return [[context.id, node.id] for context in method(node.id)]
        except errors.NotFoundError:
            return []

    kinds = {
        "artifact": (store.get_artifact_types(), store.get_artifacts_by_type),
        "execution": (store.get_execution_types(), store.get_executions_by_type),
        "context": (store.get_context_types(), store.get_contexts_by_type),
    }
    by_type = {}
    for kind, (types, get) in kinds.items():
        for type_ in types:
            version = type_.version if type_.HasField("version") else None
            key = f"{kind}/{type_.name}" + ("" if version is None else f"@{version}")
            by_type[key] = sorted(ids(get(type_.name, version)))
    return {
        **{f"{kind}_types": [plain(type_) for type_ in types] for kind, (types, _) in kinds.items()},
        "artifacts": [plain(node) for node in artifacts],
        "executions": [plain(node) for node in executions],
        "contexts": [plain(node) for node in contexts],
        "events": [json_format.MessageToDict(event, preserving_proto_field_name=True) for event in events],
        "attributions": sorted(related(store.get_contexts_by_artifact, artifacts)),
        "associations": sorted(related(store.get_contexts_by_execution, executions)),
        "parent_contexts": sorted(
            [context.id, parent.id] for context in contexts for parent in store.get_parent_contexts_by_context(context.id)
        ),
        "entities_by_type": by_type,
    }


def message(kind, fields):
    return json_format.ParseDict(fields, getattr(pb, kind)())


def node(kind, fields):
    """Creates a node from proto JSON in which each proto_value is a type URL and base64."""
    values = {}
    for group in ("properties", "custom_properties"):
        for name, value in list(fields.get(group, {}).items()):
            if "proto_value" in value:
                values[group, name] = value["proto_value"]
                fields = {**fields, group: {key: other for key, other in fields[group].items() if key != name}}
    result = message(kind, fields)
    for (group, name), value in values.items():
        target = getattr(result, group)[name].proto_value
        target.type_url = value["typeUrl"]
        target.value = json_format.ParseDict(value["valueB64"], _bytes(b"")).value
    return result


def apply():
    store, results = client(file), []
    put_type = {
        "artifact": (store.put_artifact_type, "ArtifactType"),
        "execution": (store.put_execution_type, "ExecutionType"),
        "context": (store.put_context_type, "ContextType"),
    }
    put_nodes = {
        "artifact": (store.put_artifacts, "Artifact"),
        "execution": (store.put_executions, "Execution"),
        "context": (store.put_contexts, "Context"),
    }
    get_type = {
        "artifact": store.get_artifact_type,
        "execution": store.get_execution_type,
        "context": store.get_context_type,
    }

    def typed(kind, fields):
        """Replaces the name of a type with its id, because the client accepts only ids."""
        fields = dict(fields)
        name = fields.pop("type", None)
        return fields if name is None else {**fields, "type_id": str(get_type[kind](name).id)}

    for operation in json.load(open(rest[0])):
        try:
            name = operation["op"]
            if name == "type":
                put, kind = put_type[operation["kind"]]
                options = {"can_add_fields": operation["canAdd"], "can_omit_fields": operation["canOmit"]}
                results.append([put(message(kind, operation["type"]), **options)])
            elif name == "nodes":
                put, kind = put_nodes[operation["kind"]]
                results.append(list(put([node(kind, typed(operation["kind"], fields)) for fields in operation["nodes"]])))
            elif name == "event":
                store.put_events([message("Event", operation["event"])])
                results.append([])
            elif name == "links":
                store.put_attributions_and_associations(
                    [message("Attribution", link) for link in operation["attributions"]],
                    [message("Association", link) for link in operation["associations"]],
                )
                results.append([])
            elif name == "parent":
                store.put_parent_contexts([message("ParentContext", operation["parent"])])
                results.append([])
        except errors.StatusError:
            results.append("rejected")
    return results


def write():
    """Adds artifacts one by one, each in a transaction."""
    store, (name, count) = client(file), rest
    kind = store.put_artifact_type(pb.ArtifactType(name="Written"))
    for number in range(int(count)):
        artifact = pb.Artifact(type_id=kind, name=f"{name}-{number}", uri=f"/{name}/{number}")
        artifact.custom_properties["number"].int_value = number
        while True:
            try:
                store.put_artifacts([artifact])
                break
            except errors.AbortedError:
                pass  # Another writer held the lock until this client's retries were used up.
    return int(count)


print(json.dumps({"tables": tables, "dump": dump, "apply": apply, "write": write}[command]()))
