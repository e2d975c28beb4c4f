// The tables nearest in meaning to a question: the exact scan that search makes, at stores of
// different size, and beside it hnswlib's graph where its header is installed (libhnswlib-dev; the
// product does not use it, docs/adr says why). usage: vector_bench [TABLES...]  (default 2000
// 20000 100000; with --benchmark_* flags a short run; the graph takes minutes to build at 100000,
// and NOGRAPH in the environment leaves it out). Vectors are made up: 24 latent directions with
// noise, so that near ones exist, as they do among the texts of tables.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "llm/embedder.h"
#include "retrieve/meaning.h"
#include "store/store.h"
#include "store/testing.h"
#include "store/vectors.h"

#if __has_include(<hnswlib/hnswlib.h>)
#define WARD_HAS_HNSWLIB 1
#include <hnswlib/hnswlib.h>
#endif

namespace schemaward {
namespace {

constexpr std::size_t kLatent = 24;
constexpr float kNoise = 0.3F;
constexpr int kQuestions = 40;

double Ms(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since)
      .count();
}

double Median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}

double ResidentMib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return 0;
}

/// Vectors of length 1 around the same directions, one after another.
class MadeUp {
 public:
  explicit MadeUp(std::size_t dimensions) : dimensions_(dimensions) {
    basis_.resize(kLatent * dimensions);
    for (float& one : basis_) one = normal_(chance_);
  }
  std::vector<float> Next() {
    std::vector<float> vector(dimensions_, 0.0F);
    for (std::size_t latent = 0; latent < kLatent; ++latent) {
      const float weight = normal_(chance_);
      for (std::size_t i = 0; i < dimensions_; ++i)
        vector[i] += weight * basis_[latent * dimensions_ + i];
    }
    for (float& one : vector) one += kNoise * normal_(chance_);
    (void)llm::Normalize(vector);
    return vector;
  }

 private:
  const std::size_t dimensions_;
  std::mt19937 chance_{7};
  std::normal_distribution<float> normal_;
  std::vector<float> basis_;
};

store::Source Fill(store::Store& store, const std::string& model, std::size_t tables,
                   MadeUp& made) {
  std::vector<catalog::Table> list;
  for (std::size_t i = 0; i < tables; ++i)
    list.push_back(store::MakeTable("s", fmt::format("t{:06}", i)));
  const store::Source source = store::PutIndexed(store, "made", list).value();
  std::vector<std::int64_t> ids;
  (void)store.VisitTables(std::vector<std::int64_t>{source.id}, [&](const auto& entry) {
    ids.push_back(entry.id);
    return true;
  });
  constexpr std::size_t kBatch = 64;  // as index/embed.cc writes them
  for (std::size_t begin = 0; begin < ids.size(); begin += kBatch) {
    std::vector<store::TableVector> batch;
    for (std::size_t i = begin; i < std::min(begin + kBatch, ids.size()); ++i)
      batch.push_back({ids[i], 1, made.Next()});
    if (!store::PutVectors(store, source.id, model, batch)) std::abort();
  }
  return source;
}

using Near = std::vector<std::int64_t>;

Near IdsOf(const std::vector<retrieve::NearTable>& near) {
  Near ids;
  for (const auto& one : near) ids.push_back(one.table_id);
  return ids;
}

#ifdef WARD_HAS_HNSWLIB
constexpr std::size_t kNear = 50;  // retrieve/meaning.h: kNearMax

void Graph(store::Store& store, const std::string& model, std::size_t tables,
           std::size_t dimensions, const std::vector<std::vector<float>>& questions,
           const std::vector<Near>& exact) {
  constexpr std::size_t kLinks = 16, kBreadth = 200;
  hnswlib::InnerProductSpace space(dimensions);
  store::TempFolder folder;
  const std::string path = folder.File("graph.bin");
  const double before = ResidentMib();
  auto since = std::chrono::steady_clock::now();
  double build = 0, memory = 0;
  {
    hnswlib::HierarchicalNSW<float> graph(&space, tables, kLinks, kBreadth);
    (void)store::VisitVectors(store, model, {}, [&](std::int64_t id, std::span<const float> v) {
      graph.addPoint(v.data(), static_cast<hnswlib::labeltype>(id));
      return true;
    });
    build = Ms(since);
    memory = ResidentMib() - before;
    graph.saveIndex(path);
  }
  since = std::chrono::steady_clock::now();
  hnswlib::HierarchicalNSW<float> graph(&space, path);
  fmt::print("    graph: built in {:.1f} s, {:.0f} MiB, loaded in {:.0f} ms\n", build / 1000,
             memory, Ms(since));
  for (const std::size_t breadth : {64U, 128U, 256U}) {
    graph.setEf(breadth);
    std::vector<double> times;
    std::size_t found = 0, wanted = 0;
    for (std::size_t q = 0; q < questions.size(); ++q) {
      since = std::chrono::steady_clock::now();
      auto near = graph.searchKnn(questions[q].data(), kNear);
      times.push_back(Ms(since));
      wanted += exact[q].size();
      for (; !near.empty(); near.pop())
        found += static_cast<std::size_t>(
            std::count(exact[q].begin(), exact[q].end(), near.top().second));
    }
    fmt::print("    graph, breadth {}: p50 {:.3f} ms, recall@{} {:.3f}\n", breadth, Median(times),
               kNear, static_cast<double>(found) / static_cast<double>(wanted));
  }
}
#else
void Graph(store::Store&, const std::string&, std::size_t, std::size_t,
           const std::vector<std::vector<float>>&, const std::vector<Near>&) {
  fmt::print("    graph: hnswlib is not installed\n");
}
#endif

void Measure(std::size_t tables, std::size_t dimensions) {
  store::TempFolder folder;
  auto store = store::Store::Open(folder.File("store.db"), {.create = true}).value();
  MadeUp made(dimensions);
  std::vector<std::vector<float>> questions;
  for (int q = 0; q < kQuestions; ++q) questions.push_back(made.Next());
  std::size_t asked = 0;
  const auto embedder = std::make_shared<llm::ScriptedEmbedder>(
      llm::EmbedderInfo{"scripted", "e"},
      [&](const std::string&) -> Result<std::vector<float>> { return questions[asked]; });
  const std::string model = llm::IdOf(embedder->info());
  auto since = std::chrono::steady_clock::now();
  Fill(*store, model, tables, made);
  fmt::print("{} tables, {} numbers: written in {:.1f} s\n", tables, dimensions, Ms(since) / 1000);
  retrieve::Meaning meaning(embedder, {});
  SystemClock clock;
  CallContext ctx(clock);
  std::vector<double> times;
  std::vector<Near> exact;
  const double before = ResidentMib();
  for (asked = 0; asked < questions.size(); ++asked) {
    since = std::chrono::steady_clock::now();
    exact.push_back(IdsOf(meaning.Nearest(*store, fmt::format("q{}", asked), {}, ctx).value()));
    times.push_back(Ms(since));
  }
  fmt::print("    exact: first {:.1f} ms, p50 {:.2f} ms, {:.0f} MiB more\n", times.front(),
             Median(times), ResidentMib() - before);
  Graph(*store, model, tables, dimensions, questions, exact);
}

}  // namespace
}  // namespace schemaward

int main(int argc, char** argv) try {
  std::vector<std::size_t> sizes;
  bool is_short = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with("--"))
      is_short = true;
    else
      sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  }
  if (is_short)
    sizes = {200};
  else if (sizes.empty())
    sizes = {2'000, 20'000, 100'000};
  for (const std::size_t tables : sizes)
    for (const std::size_t dimensions : {768U, 1'536U}) schemaward::Measure(tables, dimensions);
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
