#include "tools/services.h"

namespace schemaward::tools {

bool IsDescription(const store::Source& source) {
  return source.engine == "ddl" || source.engine == "dbt";
}

Services Services::For(const CallContext& ctx) const {
  Services own = *this;
  own.caller = policy.For(ctx.principal);
  return own;
}

privacy::Policy Services::PolicyFor(const store::Source& source) const {
  return policy.Of(source.name, profile_of ? profile_of(source) : privacy::Profile::Team);
}

guard::Guard Services::GuardFor(const store::Source& source) const {
  return guard::Guard(PolicyFor(source));
}

}  // namespace schemaward::tools
