-- What wrk sends and reports for bench/http_load.py: `wrk ... -s http_load.lua URL -- REQUEST`, where REQUEST is a file of "Name: value"
-- lines, an empty line, and a body a line, which are sent in turn. At the end it prints one line of JSON: requests, seconds, faults and latencies in microseconds.
function init(arguments)
  local body = false
  bodies, at = {}, 0
  for line in io.lines(arguments[1]) do
    local name, value = line:match("^([%w-]+): (.*)$")
    if body then
      bodies[#bodies + 1] = line
    elseif name then
      wrk.headers[name] = value
    else
      body = true
    end
  end
  for i, text in ipairs(bodies) do
    bodies[i] = wrk.format("POST", nil, nil, text)
  end
end

function request()
  at = at % #bodies + 1
  return bodies[at]
end

function done(summary, latency, requests)
  local faults = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format('{"requests":%d,"seconds":%.6f,"bytes":%d,"faults":%d,"p50_us":%d,"p99_us":%d,"most_us":%d}\n', summary.requests,
    summary.duration / 1e6, summary.bytes, faults, latency:percentile(50), latency:percentile(99), latency.max))
end
