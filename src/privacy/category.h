#pragma once

// The twelve categories of personal data.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace schemaward::privacy {

enum class Category : std::uint8_t {
  Contact,
  Financial,
  PaymentCard,
  Health,
  Genetic,
  Biometric,
  Behavioral,
  OnlineIdentifier,
  Credential,
  GovernmentId,
  Location,
  DemographicProtected,
};

inline constexpr std::size_t kCategoryCount = 12;

/// Returns the category of that wire name, or nothing. Thread: any.
std::optional<Category> CategoryNamed(std::string_view name);

/// Returns the wire name: contact, payment_card, ...  Lifetime: static.
std::string_view NameOf(Category category);

/// True for credential, payment_card and government_id: no policy lets their values out.
bool IsFloor(Category category);

}  // namespace schemaward::privacy
