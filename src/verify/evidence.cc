#include "verify/evidence.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/contains.h"
#include "explore/text.h"

namespace schemaward::verify {
namespace {

struct Block {
  std::int64_t number = 0;
  std::string text;
};

const SourceStep* FindRun(const std::vector<SourceStep>& steps, std::int64_t number) {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const SourceStep& step) {
    return step.number == number && step.error.empty() && !step.statement.empty();
  });
  return found == steps.end() ? nullptr : &*found;
}

std::string BlockOf(const SourceStep& step) {
  const std::string purpose = explore::ShowValue(step.purpose);
  return fmt::format("Step {}{}{} ({} rows):\n{}\n", step.number, purpose.empty() ? "" : ", ",
                     purpose, step.rows, step.statement);
}

// Takes the block of the lowest step out.
std::int64_t DropLowest(std::vector<Block>& blocks) {
  const auto lowest =
      std::min_element(blocks.begin(), blocks.end(),
                       [](const Block& a, const Block& b) { return a.number < b.number; });
  const std::int64_t number = lowest->number;
  blocks.erase(lowest);
  return number;
}

std::size_t SizeOf(const std::vector<Block>& blocks) {
  std::size_t size = 0;
  for (const Block& block : blocks) size += block.text.size();
  return size;
}

}  // namespace

Evidence RenderEvidence(const std::vector<SourceStep>& steps,
                        const std::vector<std::int64_t>& cited, std::size_t bytes_max) {
  Evidence evidence;
  std::vector<Block> blocks;
  std::vector<std::int64_t> taken;
  for (const std::int64_t number : cited) {
    if (Contains(taken, number)) continue;
    taken.push_back(number);
    const SourceStep* step = FindRun(steps, number);
    if (step == nullptr)
      evidence.without.push_back(number);
    else
      blocks.push_back({number, BlockOf(*step)});
  }
  while (!blocks.empty() && SizeOf(blocks) > bytes_max)
    evidence.left_out.push_back(DropLowest(blocks));
  for (const Block& block : blocks) {
    evidence.steps.push_back(block.number);
    evidence.text += block.text;
  }
  if (!evidence.left_out.empty())
    evidence.text +=
        fmt::format("(There was no room for steps {}.)\n", fmt::join(evidence.left_out, ", "));
  return evidence;
}

}  // namespace schemaward::verify
