#include "privacy/category.h"

#include <array>

namespace schemaward::privacy {
namespace {

constexpr std::array<std::string_view, 12> kNames = {
    "contact",    "financial",     "payment_card", "health",
    "genetic",    "biometric",     "behavioral",   "online_identifier",
    "credential", "government_id", "location",     "demographic_protected"};

}  // namespace

std::string_view NameOf(Category category) { return kNames[static_cast<std::size_t>(category)]; }

bool IsFloor(Category category) {
  return category == Category::Credential || category == Category::PaymentCard ||
         category == Category::GovernmentId;
}

}  // namespace schemaward::privacy
