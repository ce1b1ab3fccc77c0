// contextfit: shortens what tools print before the model reads it. `contextfit hook uninstall opencode` removes this file.
import { spawnSync } from "node:child_process"

export const contextfit = async () => ({
  "tool.execute.after": async (input, output) => {
    if (typeof output?.output !== "string" || output.output.length <= 8000) return
    const event = { ...input, output: output.output, metadata: output.metadata }
    const options = { input: JSON.stringify(event), encoding: "utf8", timeout: 10_000, maxBuffer: 1 << 26 }
    const { status, stdout } = spawnSync("contextfit", ["hook", "opencode"], options)
    // Whatever goes wrong, the output stays as it is.
    if (status !== 0 || !stdout) return
    try {
      output.output = JSON.parse(stdout).output ?? output.output
    } catch {}
  },
})
