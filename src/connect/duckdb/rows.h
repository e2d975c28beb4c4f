#pragma once

// What a statement gave.

#include "connect/duckdb/c_api.h"

namespace schemaward::connect::duckdb {

/// A result that is fetched piece by piece.
class Rows {
 public:
  Rows(const Api& api, RawResult raw) : api_(&api), raw_(raw) {}
  Rows(Rows&& other) noexcept : api_(other.api_), raw_(other.raw_) { other.api_ = nullptr; }
  Rows& operator=(Rows&&) = delete;
  ~Rows() {
    if (api_ != nullptr) api_->destroy_result(&raw_);
  }
  RawResult& raw() { return raw_; }

 private:
  const Api* api_;
  RawResult raw_;
};

}  // namespace schemaward::connect::duckdb
