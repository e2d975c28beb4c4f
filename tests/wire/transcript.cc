#include "wire/transcript.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace schemaward::wire {

Result<Transcript> ReadTranscript(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error(ErrorKind::InputUnreadable, "could not read the transcript");
  Transcript transcript;
  constexpr std::string_view kServer = "# server: ";
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty()) {
      transcript.steps.push_back({' ', "", number});
      continue;
    }
    if (line.starts_with(kServer)) transcript.server = line.substr(kServer.size());
    const bool is_step = line.size() >= 2 && line[1] == ' ' &&
                         std::string_view("#><!").find(line[0]) != std::string_view::npos;
    if (!is_step)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("line {}: a step begins with #, >, < or ! and a blank", number));
    transcript.steps.push_back({line[0], line.substr(2), number});
  }
  constexpr std::array<std::string_view, 7> kServers = {"demo", "confirm",  "hasty",  "tasks",
                                                        "shop", "patterns", "explore"};
  if (std::find(kServers.begin(), kServers.end(), transcript.server) == kServers.end())
    return Error(
        ErrorKind::InputUnreadable,
        "the first line must be # server: demo, confirm, hasty, tasks, shop, patterns or explore");
  return transcript;
}

Status WriteTranscript(const std::string& path, const std::vector<Step>& steps) {
  std::ofstream out(path, std::ios::trunc);
  for (const Step& step : steps) {
    if (step.mark != ' ') out << step.mark << ' ' << step.text;
    out << '\n';
  }
  out.close();
  if (!out) return Error(ErrorKind::InputUnreadable, "could not write the transcript");
  return Ok();
}

}  // namespace schemaward::wire
