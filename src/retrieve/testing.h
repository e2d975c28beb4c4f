#pragma once

// For tests of search: a store of its own, filled from tables at hand.

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "retrieve/search.h"
#include "store/index_writer.h"
#include "store/search_document.h"
#include "store/sources.h"
#include "store/store.h"
#include "store/testing.h"

namespace schemaward::retrieve {

/// Tables in a store and a searcher over them. A failure to make the store ends the test.
class SearchBench {
 public:
  using MakeDocument = std::function<store::SearchDocument(
      const text::Lexicon& lexicon, std::int64_t source_id, const catalog::Table& table)>;

  SearchBench(const std::vector<catalog::Table>& tables, const MakeDocument& make) {
    store_ = store::Store::Open(folder_.File("store.db"), {.create = true}).value();
    const auto source =
        PutSource(*store_, {.name = "test", .engine = "sqlite", .location = "/nowhere"}).value();
    auto writer = store::IndexWriter::Begin(*store_, source.id).value();
    for (const auto& table : tables) {
      const auto id = writer->Add(table, store::HashOf(table)).value();
      if (!writer->PutSearch(id, make(searcher_.lexicon(), source.id, table))) std::abort();
    }
    writer->Commit({.indexed_at_us = 1}).value();
  }

  SearchAnswer Search(const std::string& query, std::size_t limit = 10, bool exhaustive = false,
                      std::size_t offset = 0) {
    return searcher_
        .Search(*store_, {.query = query,
                          .limit = limit,
                          .offset = offset,
                          .sources = {},
                          .exhaustive = exhaustive})
        .value();
  }

  std::vector<std::string> Names(const std::string& query, std::size_t limit = 10,
                                 std::size_t offset = 0) {
    std::vector<std::string> names;
    const auto answer = Search(query, limit, false, offset);
    for (const auto& hit : answer.hits) names.push_back(hit.name);
    return names;
  }

  store::Store& store() { return *store_; }

 private:
  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  Searcher searcher_;
};

}  // namespace schemaward::retrieve
