-- Asks what the lines of the file in QUERIES say, one after the other.
local paths, at = {}, 0
for line in io.lines(os.getenv("QUERIES")) do
  paths[#paths + 1] = line
end
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
