#pragma once

// Inside sql/query: the state of one reading. Statements are in read_statement.cc, items of FROM in
// read_table.cc, operators in read_expression.cc, what stands between them in read_primary.cc,
// calls in read_call.cc, types in read_type.cc.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sql/query/lexer.h"
#include "sql/query/reader.h"
#include "sql/query/script.h"
#include "sql/query/tree.h"

namespace schemaward::sql::query {

/// Whose text is read: a caller's, which will run; a view's, which the database holds already; a
/// script's, which is only told of.
enum class Mode : std::uint8_t { Statement, View, Script };

/// A recursive-descent reader. Thread: owner.
class Parser {
 public:
  Parser(std::vector<Token> tokens, const Dialect& dialect, int depth_max,
         Mode mode = Mode::Statement);

  Result<Statement> One();
  Result<ExpressionPtr> Condition();
  /// Reads the statement of a script; where it cannot, `failure` says why.
  ScriptStatement OneOfScript();

 private:
  // Tokens.
  const Token& Now() const { return tokens_[at_]; }
  const Token& Ahead(std::size_t n = 1) const {
    return tokens_[std::min(at_ + n, tokens_.size() - 1)];
  }
  void Skip(std::size_t n = 1) { at_ = std::min(at_ + n, tokens_.size() - 1); }
  bool IsWord(std::string_view upper) const;
  bool IsWordAt(std::size_t ahead, std::string_view upper) const;
  bool IsSymbol(std::string_view symbol) const;
  bool IsSymbolAt(std::size_t ahead, std::string_view symbol) const;
  bool TakeWord(std::string_view upper);
  bool TakeWords(std::initializer_list<std::string_view> uppers);
  bool TakeSymbol(std::string_view symbol);
  Status NeedWord(std::string_view upper);
  Status NeedSymbol(std::string_view symbol);
  Error Expected(std::string_view what) const;
  Error NotRead(std::string_view what) const;
  Error NotListed(std::string_view what) const;  // a form that may read, and is on no list
  Error OfCatalog(std::string_view what) const;  // a statement that tells of the database itself
  Result<std::string> Integer();
  bool IsReserved(const Token& token) const;
  bool IsReserved(std::string_view word) const;  // in any case
  bool IsName(std::size_t ahead = 0) const;
  Result<Name> ReadName(std::string_view what);
  Result<std::vector<Name>> NameList();
  Result<std::vector<Name>> DottedName(std::string_view what);
  std::optional<Name> Alias();

  // read_statement.cc
  Result<Statement> Explain();
  Result<Statement> CatalogStatement();
  bool BeginsQuery(std::size_t ahead = 0) const;
  Result<QueryPtr> ReadQuery();
  Status With(Query& query);
  Status Terms(Query& query);
  Status Intersections(SetTerm& term);
  Status Term(SetTerm& term);
  std::string SetOperator();
  Result<Core> ReadCore();
  Result<Core> CoreForm();
  Status SelectClause(Core& core);
  Status Outputs(Core& core);
  Result<Output> ReadOutput();
  Status AfterFrom(Core& core);
  Status GroupBy(Core& core);
  Status Windows(Core& core);
  Result<Core> Values();
  Status OrderWithinBrackets(Query& query);
  Status Tail(Query& query);
  Status Limits(Query& query);
  Status RefuseLocks() const;
  void TakeLock(Query& query);
  Status TakeInto();
  Result<std::vector<OrderItem>> OrderItems();
  Result<OrderItem> ReadOrderItem();

  // read_table.cc
  Status FromItems(Core& core);
  Result<TableExpressionPtr> Joined();
  Result<bool> JoinStep(TableExpressionPtr& left);
  Result<TableExpressionPtr> TableItem();
  Result<TableExpressionPtr> Parenthesised();
  Status ColumnDefinitions(TableExpression& table);
  Status TableSample(TableExpression& table);
  Status UsingSample(Core& core);
  Status AfterTable(TableExpression& table);
  Status IndexHints(TableExpression& table);

  // read_expression.cc
  Result<ExpressionPtr> Value(int level = 0);
  Result<ExpressionPtr> Prefix(int level);
  /// A value that no operator but a sign stands at: the amount of an interval.
  Result<ExpressionPtr> Signed();
  Result<ExpressionPtr> PrefixForm(int level);
  Result<bool> Infix(ExpressionPtr& left, int level);
  Result<bool> Predicate(ExpressionPtr& left, int level);
  Result<ExpressionPtr> Is(ExpressionPtr operand);
  Result<ExpressionPtr> In(ExpressionPtr operand, bool negated);
  Result<ExpressionPtr> Between(ExpressionPtr operand, bool negated);
  Result<ExpressionPtr> Like(ExpressionPtr operand, bool negated);
  Result<ExpressionPtr> Compared(ExpressionPtr left, std::string text, int level);
  Result<ExpressionPtr> Postfix(ExpressionPtr operand);

  // read_primary.cc
  Result<ExpressionPtr> Primary();
  Result<ExpressionPtr> WordPrimary();
  Result<ExpressionPtr> Literal();
  Result<ExpressionPtr> Parameter();
  Result<ExpressionPtr> Variable();
  Result<ExpressionPtr> Parens();
  Result<ExpressionPtr> CaseOf();
  Result<ExpressionPtr> Interval();
  Result<ExpressionPtr> ArrayOf();
  Result<ExpressionPtr> List(std::string_view open, std::string_view close);
  Result<ExpressionPtr> StructOf();
  Result<ExpressionPtr> NameOrCall();
  ExpressionPtr ColumnOf(std::vector<Name> names, std::size_t begin) const;
  Result<ExpressionPtr> StarOf(std::vector<Name> qualifier);
  Status StarChanges(Expression& star);
  Result<std::vector<ExpressionPtr>> Values(std::string_view close);

  // read_pivot.cc
  Result<TableExpressionPtr> Pivot();
  Result<TableExpressionPtr> PivotOf(TableExpressionPtr operand);
  Result<ExpressionPtr> PivotBody();
  Result<ExpressionPtr> UnpivotBody();
  Result<ExpressionPtr> UnpivotInto(std::vector<Part> parts);
  ExpressionPtr Unpivoted(std::vector<Part> parts, const Name& name, const Name& value) const;
  Status PivotList(std::string_view before, std::vector<Part>& parts);
  Status PivotGroups(std::vector<Part>& parts);

  // read_duckdb_forms.cc
  bool IsMethod(const std::vector<Name>& names) const;
  Result<ExpressionPtr> MethodCall(ExpressionPtr operand, Name function);
  Result<ExpressionPtr> FormOf(std::string_view form, ExpressionPtr operand);
  Result<ExpressionPtr> TryLambda(bool takes_any);
  Result<ExpressionPtr> Comprehension(ExpressionPtr value);
  Result<ExpressionPtr> MapOf();
  Result<ExpressionPtr> TryCall();
  Result<ExpressionPtr> AbsoluteOf(int level);

  // read_call.cc
  Result<ExpressionPtr> SpecialCall();
  Result<ExpressionPtr> CastCall();
  Result<ExpressionPtr> ExtractCall();
  Result<ExpressionPtr> PositionCall();
  Result<ExpressionPtr> SubstringCall();
  Result<ExpressionPtr> OverlayCall();
  Result<ExpressionPtr> TrimCall();
  Result<ExpressionPtr> ConvertCall();
  Result<ExpressionPtr> Call(std::vector<Name> names, bool is_method = false);
  Status Arguments(Expression& call, bool is_method);
  Result<ExpressionPtr> Argument();
  Status AfterCall(Expression& call);
  Result<ExpressionPtr> WindowSpec();
  Result<std::string> Frame();
  Result<std::string> FrameBound(Expression& spec);

  // read_script_forms.cc
  ExpressionPtr Opaque(std::size_t begin) const;
  bool IsOperatorOfScript() const;
  bool IsSoftWord() const;
  bool IsWordyCall(const std::vector<Name>& names) const;
  Result<bool> InfixOfScript(ExpressionPtr& left, int level);
  bool TakeIsForm();
  Result<ExpressionPtr> InOfScript(ExpressionPtr operand);
  Result<ExpressionPtr> PrimaryOfScript();
  Status StarOfScript(Expression& star);
  Status AfterTableOfScript(TableExpression& table);
  void MakeUnknown(TableExpression& table, std::size_t begin);
  Result<TableExpressionPtr> TableOfScript();
  void SkipSample();
  Status SkipSearchAndCycle(CommonTable& common);
  Status ChangeInWith(const CommonTable& common);
  Status ExplainOfScript(ScriptStatement& statement);

  // read_change.cc
  Status ScriptStatementOf(ScriptStatement& statement);
  Status ReadChange(Change& change);
  Status Insert(Change& change);
  Status InsertColumns(Change& change);
  Status InsertSource(Change& change);
  Status Rows(Change& change);
  Status OnConflict(Change& change);
  Status Update(Change& change);
  Status Delete(Change& change);
  Result<std::vector<Name>> TableWithStar();
  bool NamesBeforeUsing() const;
  Status DeleteByUsing(Change& change);
  Status ChangeTail(Change& change);
  Status Assignments(std::vector<Assignment>& to);
  Status Grant(Change& change);
  void TakeWordsOf(Change& change);
  void TakeRest();
  Result<ExpressionPtr> ValueOrDefault();

  // read_merge.cc
  Status Merge(Change& change);
  Result<Change> ReadMergeBranch(const Change& merge);
  Status MergeAction(Change& branch);
  Status MergeUpdate(Change& branch);
  Status MergeInsert(Change& branch);

  // read_create.cc
  Status Create(Change& change);
  Status CreateTable(Change& change);
  Status TableElement(Change& change);
  Result<std::optional<TableConstraint>> Constraint();
  Result<ColumnDefinition> ReadColumn();
  Result<bool> ColumnConstraint(ColumnDefinition& column);
  Result<Reference> References();
  Status CreateIndex(Change& change);
  Status CreateView(Change& change);
  void CreateRoutine(Change& change);
  Status Alter(Change& change);
  Result<AlterAction> ReadAlterAction();
  Status Drop(Change& change);
  Status Truncate(Change& change);
  Result<ColumnType> ReadColumnType();
  void SkipIntervalFields();
  bool IsColumnClause() const;
  bool EndsElement() const;
  bool IsStatementWord() const;
  void SkipBalanced();
  void SkipElement();
  Result<std::vector<Name>> KeyColumns();

  // read_type.cc
  Result<std::string> Type();
  Result<ExpressionPtr> CastTo(const std::string& open, ExpressionPtr operand);
  bool IsOwnTypeName() const;
  bool IsTypeWord(std::size_t ahead = 0) const;

  /// Counts a level of nesting while it lives.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Status Check() const;

   private:
    Parser& parser_;
  };

  /// Goes back to token `at` after a reading that did not fit.
  void GoBack(std::size_t at, std::size_t questions);
  /// True where a reading from here did not fit before. What does not fit is read once: in brackets
  /// within brackets each level would else read all inside it twice.
  bool FailedHere() const { return at_ < failed_.size() && failed_[at_]; }
  /// Reads a query and the bracket that closes it. Null, and nothing is taken, where it is none.
  QueryPtr QueryInBrackets();

  std::vector<Token> tokens_;
  std::vector<bool> failed_;  // by token: GoBack came back to it
  const int depth_max_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::size_t questions_ = 0;   // parameters without a number so far
  std::size_t parameters_ = 0;  // the largest number
  bool is_skimmed_ = false;     // of a script: words were passed over
  std::vector<Change> inner_;   // of a script: changes in WITH
  const bool reads_script_;
  const bool takes_any_type_;  // in casts
  const Dialect& dialect_;
  const bool is_postgres_, is_mysql_, is_sqlite_, is_duckdb_;
};

}  // namespace schemaward::sql::query
