-- Runs one script the way Redis does: libraries that cannot be changed, globals that must exist, errors that know their line.
-- Called with what the host gives: libraries, the script, KEYS and ARGV. Returns what it did ("done", "failed", "malformed") and its result.

local host = ...
local error, type, tostring, setmetatable, rawget = error, type, tostring, setmetatable, rawget
local pcall, xpcall, select, loadstring, load, setfenv = pcall, xpcall, select, loadstring, load, setfenv
local tonumber, lower, match = tonumber, string.lower, string.match
local getinfo = debug.getinfo

local function refuse_write()
  error("Attempt to modify a readonly table", 2)
end

local function frozen(content)
  return setmetatable({}, { __index = content, __newindex = refuse_write, __metatable = false })
end

local environment
local content = {
  _VERSION = _VERSION, KEYS = host.keys, ARGV = host.arguments,
  assert = assert, collectgarbage = collectgarbage, error = error, gcinfo = gcinfo, getmetatable = getmetatable, ipairs = ipairs,
  next = next, pairs = pairs, rawequal = rawequal, rawget = rawget, rawset = rawset, select = select, setmetatable = setmetatable,
  tostring = tostring, type = type, unpack = unpack, xpcall = xpcall,
  coroutine = frozen(coroutine), math = frozen(math), string = frozen(string), table = frozen(table),
}
for name, library in pairs(host.libraries) do
  content[name] = frozen(library)
end
for name, value in pairs(host.mathematics) do
  math[name] = value
end

-- A failed redis.call is a table inside the engine and its text for the script.
local function caught(succeeded, ...)
  local failure = ...
  if not succeeded and type(failure) == "table" and type(rawget(failure, "err")) == "string" then
    return false, failure.err
  end
  return succeeded, ...
end
content.pcall = function(...)
  return caught(pcall(...))
end

local function enclosed(chunk, ...)
  if chunk then
    setfenv(chunk, environment)
  end
  return chunk, ...
end
content.loadstring = function(...)
  return enclosed(loadstring(...))
end
content.load = function(...)
  return enclosed(load(...))
end

environment = setmetatable({}, {
  __index = function(_, name)
    local value = content[name]
    if value == nil then
      error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
    end
    return value
  end,
  __newindex = refuse_write,
  __metatable = false,
})
content._G = environment

-- C reads these as numbers too.
local special = { inf = math.huge, infinity = math.huge, nan = host.nan }
content.tonumber = function(...)
  local number = tonumber(...)
  local text = ...
  if number or type(text) ~= "string" or select("#", ...) > 1 then
    return number
  end
  local sign, word = match(lower(text), "^%s*([+-]?)(%a+)%s*$")
  local value = special[word or ""]
  return value and (sign == "-" and -value or value)
end

-- The line that failed is that of the innermost function of the script.
local function with_line(failure)
  if type(failure) ~= "table" then
    failure = { err = "ERR " .. tostring(failure) }
  end
  local level = 2
  local info = getinfo(level, "Sl")
  while info and info.source ~= "@user_script" do
    level = level + 1
    info = getinfo(level, "Sl")
  end
  local text = rawget(failure, "err")
  return { err = type(text) == "string" and text or "ERR unknown error", line = info and info.currentline }
end

local chunk, problem = loadstring(host.source, "@user_script")
if not chunk then
  return "malformed", problem
end
setfenv(chunk, environment)
local succeeded, result = xpcall(chunk, with_line)
return succeeded and "done" or "failed", result
