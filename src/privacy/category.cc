#include "privacy/category.h"

#include <array>

namespace schemaward::privacy {
namespace {

constexpr std::array<std::string_view, kCategoryCount> kNames = {
    "contact",    "financial",     "payment_card", "health",
    "genetic",    "biometric",     "behavioral",   "online_identifier",
    "credential", "government_id", "location",     "demographic_protected"};

}  // namespace

std::string_view NameOf(Category category) { return kNames[static_cast<std::size_t>(category)]; }

std::optional<Category> CategoryNamed(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Category>(i);
  return std::nullopt;
}

bool IsFloor(Category category) {
  return category == Category::Credential || category == Category::PaymentCard ||
         category == Category::GovernmentId;
}

}  // namespace schemaward::privacy
