#pragma once

// Folding: the form in which names and words are compared, whatever their case, accents or width.

#include <string>
#include <string_view>

namespace schemaward::text {

/// Returns `text` in compatibility form, case-folded, without accents and invisible characters.
/// Text that is not UTF-8 has its ASCII letters lowered and is otherwise kept. Thread: any.
std::string Fold(std::string_view text);

/// Returns `text` case-folded and composed (NFC); accents and width stay. Text that is not UTF-8
/// has its ASCII letters lowered. Thread: any.
std::string FoldCase(std::string_view text);

/// Returns the code points of folded text; a byte that is no UTF-8 stands for itself. Thread: any.
std::u32string ToCodePoints(std::string_view folded);

}  // namespace schemaward::text
