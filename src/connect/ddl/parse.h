#pragma once

// The parser's names, as this folder uses them.

#include "pgparse/encoding.h"
#include "pgparse/parse.h"
#include "pgparse/script.h"

namespace schemaward::connect::ddl {

using pgparse::ExpressionText;
using pgparse::IsUtf8;
using pgparse::kParseDepthMax;
using pgparse::kParseTokensMax;
using pgparse::kStatementBytesMax;
using pgparse::Latin1ToUtf8;
using pgparse::NamesLatin1;
using pgparse::NamesOf;
using pgparse::Node;
using pgparse::Parser;
using pgparse::QueryText;
using pgparse::RunOnDeepStack;
using pgparse::ScriptReader;
using pgparse::Statement;
using pgparse::StatementOrigin;
using pgparse::StringOf;
using pgparse::StringsOf;
using pgparse::View;

}  // namespace schemaward::connect::ddl
