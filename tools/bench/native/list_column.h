// One column in Arrow's layout, filled by appending; its memory is kept from batch to batch.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "protocol.pb.h"
#include "tensorflow/core/example/example.pb.h"

namespace bench {

// zlib's CRC-32, to fingerprint contents as column-digest.ts does; never timed.
inline std::uint32_t crc32(std::uint32_t crc, const void* data, std::size_t length) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t byte = 0; byte < 256; byte++) {
      std::uint32_t entry = byte;
      for (int bit = 0; bit < 8; bit++) entry = (entry >> 1) ^ (entry & 1 ? 0xedb88320u : 0);
      entries[byte] = entry;
    }
    return entries;
  }();
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  crc = ~crc;
  for (std::size_t i = 0; i < length; i++) crc = (crc >> 8) ^ table[(crc ^ bytes[i]) & 0xff];
  return ~crc;
}

class ListColumn {
 public:
  ListColumn(std::string name, tensorflow::Feature::KindCase kind) : name_(std::move(name)), kind_(kind) {}

  std::size_t num_rows() const { return offsets_.size() - 1; }

  void append(const tensorflow::Feature& feature) {
    if (feature.kind_case() != kind_) throw std::runtime_error(name_ + " is of another kind than its column");
    if (kind_ == tensorflow::Feature::kBytesList) {
      for (const std::string& value : feature.bytes_list().value()) {
        bytes_.insert(bytes_.end(), value.begin(), value.end());
        value_offsets_.push_back(static_cast<std::int32_t>(bytes_.size()));
      }
    } else if (kind_ == tensorflow::Feature::kFloatList) {
      const auto& values = feature.float_list().value();
      floats_.insert(floats_.end(), values.begin(), values.end());
    } else {
      const auto& values = feature.int64_list().value();
      int64s_.insert(int64s_.end(), values.begin(), values.end());
    }
    close_row(true);
  }

  void append_null() {
    num_nulls_++;
    close_row(false);
  }

  void clear() {
    num_nulls_ = 0;
    offsets_.resize(1);
    value_offsets_.resize(1);
    validity_.clear();
    bytes_.clear();
    floats_.clear();
    int64s_.clear();
  }

  // Adds the batch to `digest`, nulls to those that are counted already.
  void add_to(ColumnDigest& digest) const {
    digest.set_name(name_);
    digest.set_num_nulls(digest.num_nulls() + num_nulls_);
    digest.set_num_values(digest.num_values() + num_values());
    digest.set_lengths_crc(crc_of_differences(digest.lengths_crc(), offsets_));
    std::uint32_t value_lengths_crc = digest.value_lengths_crc();
    if (kind_ == tensorflow::Feature::kBytesList) {
      value_lengths_crc = crc_of_differences(value_lengths_crc, value_offsets_);
      add_values(digest, bytes_);
    } else if (kind_ == tensorflow::Feature::kFloatList) {
      add_values(digest, floats_);
    } else {
      add_values(digest, int64s_);
    }
    digest.set_value_lengths_crc(value_lengths_crc);
  }

 private:
  std::uint32_t num_values() const {
    if (kind_ == tensorflow::Feature::kBytesList) return value_offsets_.size() - 1;
    return kind_ == tensorflow::Feature::kFloatList ? floats_.size() : int64s_.size();
  }

  void close_row(bool is_present) {
    const std::size_t row = num_rows();
    if (row % 8 == 0) validity_.push_back(0);
    if (is_present) validity_.back() |= 1u << (row % 8);
    offsets_.push_back(static_cast<std::int32_t>(num_values()));
  }

  friend class FeatureListColumn;

  static std::uint32_t crc_of_differences(std::uint32_t crc, const std::vector<std::int32_t>& offsets) {
    for (std::size_t i = 1; i < offsets.size(); i++) {
      const std::int32_t length = offsets[i] - offsets[i - 1];
      crc = crc32(crc, &length, sizeof length);
    }
    return crc;
  }

  template <typename Value>
  static void add_values(ColumnDigest& digest, const std::vector<Value>& values) {
    const std::size_t num_bytes = values.size() * sizeof(Value);
    digest.set_num_bytes(digest.num_bytes() + static_cast<double>(num_bytes));
    digest.set_values_crc(crc32(digest.values_crc(), values.data(), num_bytes));
  }

  std::string name_;
  tensorflow::Feature::KindCase kind_;
  std::uint32_t num_nulls_ = 0;
  std::vector<std::int32_t> offsets_{0};
  std::vector<std::int32_t> value_offsets_{0};
  std::vector<std::uint8_t> validity_;
  std::vector<std::uint8_t> bytes_;
  std::vector<float> floats_;
  std::vector<std::int64_t> int64s_;
};

// A column of feature lists: rows of steps, each step a row of its own.
class FeatureListColumn {
 public:
  FeatureListColumn(std::string name, tensorflow::Feature::KindCase kind) : steps_(std::move(name), kind) {}

  std::size_t num_rows() const { return offsets_.size() - 1; }

  void append(const tensorflow::FeatureList& list) {
    for (const tensorflow::Feature& step : list.feature()) {
      if (step.kind_case() == tensorflow::Feature::KIND_NOT_SET) {
        steps_.append_null();
      } else {
        steps_.append(step);
      }
    }
    close_row(true);
  }

  void append_null() {
    num_nulls_++;
    close_row(false);
  }

  void clear() {
    num_nulls_ = 0;
    offsets_.resize(1);
    validity_.clear();
    steps_.clear();
  }

  void add_to(ColumnDigest& digest) const {
    steps_.add_to(digest);
    digest.set_num_nulls(digest.num_nulls() + num_nulls_);
    digest.set_steps_crc(ListColumn::crc_of_differences(digest.steps_crc(), offsets_));
  }

 private:
  void close_row(bool is_present) {
    const std::size_t row = num_rows();
    if (row % 8 == 0) validity_.push_back(0);
    if (is_present) validity_.back() |= 1u << (row % 8);
    offsets_.push_back(static_cast<std::int32_t>(steps_.num_rows()));
  }

  ListColumn steps_;
  std::uint32_t num_nulls_ = 0;
  std::vector<std::int32_t> offsets_{0};
  std::vector<std::uint8_t> validity_;
};

}  // namespace bench
