-- What wrk sends and reports for bench/http_load.py: `wrk ... -s http_load.lua URL -- REQUEST`, where REQUEST is a file of "Name: value"
-- lines, an empty line, and the body. At the end it prints one line of JSON: requests, seconds, faults and latencies in microseconds.
function init(arguments)
  local body = false
  for line in io.lines(arguments[1]) do
    local name, value = line:match("^([%w-]+): (.*)$")
    if body then
      wrk.body = line
    elseif name then
      wrk.headers[name] = value
    else
      body = true
    end
  end
  wrk.method = "POST"
  request_bytes = wrk.format()
end

function request()
  return request_bytes
end

function done(summary, latency, requests)
  local faults = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format('{"requests":%d,"seconds":%.6f,"bytes":%d,"faults":%d,"p50_us":%d,"p99_us":%d,"most_us":%d}\n', summary.requests,
    summary.duration / 1e6, summary.bytes, faults, latency:percentile(50), latency:percentile(99), latency.max))
end
