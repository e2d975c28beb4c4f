#include "cli/estimating.h"

#include <string>

#include <fmt/format.h>

#include "app/driving.h"
#include "app/server.h"
#include "cli/output.h"
#include "explore/rehearsal.h"
#include "tools/warehouse.h"

namespace schemaward::cli {
namespace {

std::string CostOf(const app::MeteredModel& model, const llm::Usage& usage) {
  return model.price ? llm::ShowUsd(llm::CostOf(*model.price, usage)) : std::string();
}

std::string Quoted(const std::string& usd) { return usd.empty() ? "null" : "\"" + usd + "\""; }

llm::Usage WithoutCache(llm::Usage usage) {
  usage.cache_read_tokens = 0;
  return usage;
}

std::string Json(const explore::Forecast& forecast, const explore::RunRecord& run,
                 const app::MeteredModel& model) {
  const llm::Usage& usual = forecast.usual;
  return fmt::format(
      R"({{"steps":{},"base_tokens":{},"catalog":{{"tables_listed":{},"tables_left_out":{},"tokens":{}}},)"
      R"("usual":{{"requests":{},"input_tokens":{},"cached_tokens":{},"output_tokens":{},"largest_prompt_tokens":{},"cost_usd":{},"cost_with_cache_usd":{}}},)"
      R"("most":{{"requests":{},"input_tokens":{},"output_tokens":{},"cost_usd":{}}},"not_counted":["rewrites"{}{}]}})",
      run.limits.steps_max, forecast.base_tokens, forecast.catalog.tables_listed,
      forecast.catalog.tables_left_out, forecast.catalog.tokens, forecast.usual_requests,
      usual.input_tokens, usual.cache_read_tokens, usual.output_tokens,
      forecast.largest_prompt_tokens, Quoted(CostOf(model, WithoutCache(usual))),
      Quoted(CostOf(model, usual)), forecast.most_requests, forecast.most.input_tokens,
      forecast.most.output_tokens, Quoted(CostOf(model, forecast.most)),
      run.pack.empty() ? "" : ",\"analysis\"", model.embedder == nullptr ? "" : ",\"embedder\"");
}

std::string Words(const explore::Forecast& forecast, const explore::RunRecord& run,
                  const app::MeteredModel& model) {
  const auto usd = [](const std::string& cost) { return cost.empty() ? "" : ", USD " + cost; };
  const llm::Usage& usual = forecast.usual;
  std::string text = fmt::format(
      "catalog      {} tables listed, {} left out and found by search, {} tokens\n"
      "each prompt  {} tokens before its history\n"
      "usual        {} requests, {} tokens in, {} out{}; largest prompt {}\n"
      "with a cache {} of the tokens in are repeated{}\n"
      "at most      {} requests, {} tokens in, {} out{}\n"
      "Not counted: rewrites of failing SQL{}{}. Nothing was sent.",
      forecast.catalog.tables_listed, forecast.catalog.tables_left_out, forecast.catalog.tokens,
      forecast.base_tokens, forecast.usual_requests, usual.input_tokens, usual.output_tokens,
      usd(CostOf(model, WithoutCache(usual))), forecast.largest_prompt_tokens,
      usual.cache_read_tokens, usd(CostOf(model, usual)), forecast.most_requests,
      forecast.most.input_tokens, forecast.most.output_tokens, usd(CostOf(model, forecast.most)),
      run.pack.empty() ? "" : ", the analysis of the pack and its verification",
      model.embedder == nullptr ? "" : ", what the embedder of its searches takes");
  if (!model.price) text += "\nNo price is known: name a price file with the setting llm.prices.";
  return text;
}

}  // namespace

int TellForecast(const CommandLine& line, app::Application& app, const store::Source& source,
                 const explore::RunRecord& run, const app::MeteredModel& model) {
  const auto server = app::ToolServer::Create(app, {.sets = {"catalog"}, .served = {source.name}});
  if (!server) return PrintError(server.error());
  const auto options = app::DriveOptionsOf(app, run, model);
  if (!options) return PrintError(options.error());
  CallContext ctx = app.CommandContext();
  tools::IndexWarehouse warehouse((*server)->services().For(ctx), (*server)->invoker(), source);
  explore::RunRequest request{run.question, run.dialect, run.limits};
  request.frame = options->frame;
  const auto forecast = explore::Rehearse(request, warehouse, model.llm->info(), ctx);
  if (!forecast) return PrintError(forecast.error());
  PrintLine(line.json ? Json(*forecast, run, model) : Words(*forecast, run, model));
  return kDone;
}

}  // namespace schemaward::cli
