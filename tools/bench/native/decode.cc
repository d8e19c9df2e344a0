// libprotobuf as a subject of `pnpm bench decode`: what a C++ program does that parses every record with the generated
// classes and appends what it finds to columns. One arena with a warm block serves all records; checksums are the
// processor's. Says Hello, then answers each Request on stdin with a Run or a Digest; see protocol.proto.

#include <google/protobuf/arena.h>
#include <google/protobuf/stubs/common.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "crc32c.h"
#include "list_column.h"
#include "protocol.pb.h"
#include "tensorflow/core/example/example.pb.h"

namespace {

using bench::FeatureListColumn;
using bench::ListColumn;
using google::protobuf::Arena;
using google::protobuf::ArenaOptions;
using tensorflow::Example;
using tensorflow::Feature;
using tensorflow::SequenceExample;

constexpr std::size_t kBatchRows = 4096;
constexpr std::size_t kArenaBlockBytes = 1 << 20;

std::uint32_t load_uint32(const std::uint8_t* bytes) {
  std::uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// The next record's payload; moves `at` behind its frame. Both checksums are checked.
std::pair<const std::uint8_t*, std::size_t> next_payload(const std::vector<std::uint8_t>& file, std::size_t& at) {
  if (file.size() - at < 16) throw std::runtime_error("truncated record");
  const std::uint8_t* frame = file.data() + at;
  std::uint64_t length;
  std::memcpy(&length, frame, sizeof length);
  if (bench::masked_crc32c(frame, 8) != load_uint32(frame + 8)) throw std::runtime_error("corrupt length");
  if (length > file.size() - at - 16) throw std::runtime_error("truncated record");
  if (bench::masked_crc32c(frame + 12, length) != load_uint32(frame + 12 + length)) {
    throw std::runtime_error("corrupt payload");
  }
  at += 16 + length;
  return {frame + 12, length};
}

// Columns of one kind, found by name.
template <typename Column>
class ColumnSet {
 public:
  explicit ColumnSet(const google::protobuf::RepeatedPtrField<bench::Column>& specs) {
    static const std::map<std::string, Feature::KindCase> kinds = {
        {"bytes", Feature::kBytesList}, {"float", Feature::kFloatList}, {"int64", Feature::kInt64List}};
    for (const auto& spec : specs) columns_.emplace_back(spec.name(), kinds.at(spec.kind()));
    for (int i = 0; i < specs.size(); i++) by_name_[specs[i].name()] = &columns_[i];
  }

  const std::vector<Column>& columns() const { return columns_; }

  template <typename Value>
  void append(const std::string& name, const Value& value) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) found->second->append(value);
  }

  // Closes row number `row` of all columns that have had no value for it.
  void fill_up(std::size_t row) {
    for (Column& column : columns_) {
      if (column.num_rows() == row) column.append_null();
    }
  }

  void clear() {
    for (Column& column : columns_) column.clear();
  }

 private:
  std::vector<Column> columns_;
  std::unordered_map<std::string, Column*> by_name_;
};

class Decoder {
 public:
  explicit Decoder(const bench::Request& request)
      : arena_block_(kArenaBlockBytes), features_(request.columns()), feature_lists_(request.sequence_columns()) {}

  const std::vector<ListColumn>& columns() const { return features_.columns(); }
  const std::vector<FeatureListColumn>& sequence_columns() const { return feature_lists_.columns(); }

  // Decodes all of `file`; `on_batch` is called when the columns hold a batch.
  template <typename OnBatch>
  std::uint32_t decode(const std::vector<std::uint8_t>& file, OnBatch on_batch) {
    if (sequence_columns().empty()) return decode_messages<Example>(file, on_batch);
    return decode_messages<SequenceExample>(file, on_batch);
  }

 private:
  template <typename Message, typename OnBatch>
  std::uint32_t decode_messages(const std::vector<std::uint8_t>& file, OnBatch on_batch) {
    ArenaOptions options;
    options.initial_block = arena_block_.data();
    options.initial_block_size = arena_block_.size();
    Arena arena(options);
    std::uint32_t num_rows = 0;
    for (std::size_t at = 0; at < file.size();) {
      features_.clear();
      feature_lists_.clear();
      std::size_t row = 0;
      for (; row < kBatchRows && at < file.size(); row++) {
        const auto [payload, length] = next_payload(file, at);
        auto* message = Arena::CreateMessage<Message>(&arena);
        if (!message->ParseFromArray(payload, static_cast<int>(length))) throw std::runtime_error("malformed record");
        append(*message);
        features_.fill_up(row);
        feature_lists_.fill_up(row);
        arena.Reset();
      }
      num_rows += row;
      on_batch();
    }
    return num_rows;
  }

  void append(const Example& example) { append(example.features()); }

  void append(const SequenceExample& example) {
    append(example.context());
    for (const auto& [name, list] : example.feature_lists().feature_list()) feature_lists_.append(name, list);
  }

  void append(const tensorflow::Features& features) {
    for (const auto& [name, feature] : features.feature()) {
      if (feature.kind_case() != Feature::KIND_NOT_SET) features_.append(name, feature);
    }
  }

  std::vector<char> arena_block_;
  ColumnSet<ListColumn> features_;
  ColumnSet<FeatureListColumn> feature_lists_;
};

// Files are read once and kept, so that only decoding is timed.
const std::vector<std::uint8_t>& contents(const std::string& path) {
  static std::map<std::string, std::vector<std::uint8_t>> files;
  const auto [entry, is_new] = files.try_emplace(path);
  if (is_new) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw std::runtime_error("cannot read " + path);
    entry->second.resize(static_cast<std::size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(entry->second.data()), static_cast<std::streamsize>(entry->second.size()));
  }
  return entry->second;
}

bench::Run run(const bench::Request& request) {
  const auto& file = contents(request.path());
  Decoder decoder(request);
  const auto start = std::chrono::steady_clock::now();
  const std::uint32_t num_rows = decoder.decode(file, [] {});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  bench::Run result;
  result.set_seconds(elapsed.count());
  result.set_num_rows(num_rows);
  return result;
}

bench::Digest digest(const bench::Request& request) {
  Decoder decoder(request);
  bench::Digest result;
  for (int i = 0; i < request.columns_size() + request.sequence_columns_size(); i++) result.add_columns();
  result.set_num_rows(decoder.decode(contents(request.path()), [&] {
    int i = 0;
    for (const ListColumn& column : decoder.columns()) column.add_to(*result.mutable_columns(i++));
    for (const FeatureListColumn& column : decoder.sequence_columns()) column.add_to(*result.mutable_columns(i++));
  }));
  return result;
}

void answer(const google::protobuf::Message& message) {
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(message, &json).ok()) throw std::runtime_error("no JSON");
  std::cout << json << std::endl;
}

}  // namespace

int main() try {
  bench::Hello hello;
  hello.set_version(google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION));
  answer(hello);
  for (std::string line; std::getline(std::cin, line);) {
    google::protobuf::util::JsonParseOptions options;
    options.ignore_unknown_fields = true;
    bench::Request request;
    if (!google::protobuf::util::JsonStringToMessage(line, &request, options).ok()) {
      throw std::runtime_error("not a request: " + line);
    }
    if (request.do_() == "run") {
      answer(run(request));
    } else {
      answer(digest(request));
    }
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << std::endl;
  return 1;
}
